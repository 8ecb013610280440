// Stand-in: the virtual functions of a controller and its loaned interfaces, each a number that a test owns.
#pragma once
#include "rclcpp/rclcpp.hpp"

namespace hardware_interface {
struct LoanedStateInterface {
    double *value;
    double get_value() const { return *value; }
};
struct LoanedCommandInterface {
    double *value;
    void set_value(double x) { *value = x; }
};
} // namespace hardware_interface

namespace controller_interface {
enum class CallbackReturn { SUCCESS, FAILURE, ERROR };
enum class return_type { OK, ERROR };
enum class interface_configuration_type { ALL, INDIVIDUAL, NONE };

struct InterfaceConfiguration {
    interface_configuration_type type;
    std::vector<std::string> names = {};
};

class ControllerInterface {
public:
    virtual ~ControllerInterface() = default;
    virtual InterfaceConfiguration command_interface_configuration() const = 0;
    virtual InterfaceConfiguration state_interface_configuration() const = 0;
    virtual CallbackReturn on_init() = 0;
    virtual CallbackReturn on_configure(const rclcpp_lifecycle::State &) { return CallbackReturn::SUCCESS; }
    virtual CallbackReturn on_activate(const rclcpp_lifecycle::State &) { return CallbackReturn::SUCCESS; }
    virtual CallbackReturn on_deactivate(const rclcpp_lifecycle::State &) { return CallbackReturn::SUCCESS; }
    virtual return_type update(const rclcpp::Time &, const rclcpp::Duration &) = 0;

    std::shared_ptr<rclcpp_lifecycle::LifecycleNode> get_node() { return node_; }

    template <class T> auto auto_declare(const std::string &name, const T &value)
    {
        node_->parameters.emplace(name, rclcpp::Parameter{value});
        return value;
    }

    void assign_interfaces(std::vector<hardware_interface::LoanedCommandInterface> commands,
                           std::vector<hardware_interface::LoanedStateInterface> states)
    {
        command_interfaces_ = commands;
        state_interfaces_ = states;
    }

protected:
    std::vector<hardware_interface::LoanedCommandInterface> command_interfaces_;
    std::vector<hardware_interface::LoanedStateInterface> state_interfaces_;

private:
    std::shared_ptr<rclcpp_lifecycle::LifecycleNode> node_ = std::make_shared<rclcpp_lifecycle::LifecycleNode>();
};
} // namespace controller_interface
