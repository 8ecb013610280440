/* Computed torque of '@robot@' as a controller of ros2_control, written by taut.
 *
 *     tau = M(q) (qdd_r + kd (qd_r - qd) + kp (q_r - q)) + C(q, qd) qd + g(q)
 *
 * Positions and rates are read, efforts are written. The reference comes as 3 n numbers q_r, qd_r, qdd_r on the topic
 * ~/reference; until the first one arrives the joints are held where they are at activation. Parameters: joints, kp
 * and kd. update() allocates nothing and never waits.
 */
#include "@R@.hpp"
#include "controller_interface/controller_interface.hpp"
#include "hardware_interface/types/hardware_interface_type_values.hpp"
#include "pluginlib/class_list_macros.hpp"
#include "rclcpp/rclcpp.hpp"
#include "realtime_tools/realtime_buffer.hpp"
#include "std_msgs/msg/float64_multi_array.hpp"

#include <array>
#include <cmath>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace @R@ {

class ComputedTorqueController : public controller_interface::ControllerInterface {
    static constexpr std::size_t n = Robot::qd_size;
    using Message = std_msgs::msg::Float64MultiArray;
    using Callback = controller_interface::CallbackReturn;
    using State = rclcpp_lifecycle::State;

    struct Reference {
        std::array<double, n> q{}, qd{}, qdd{};
    };

public:
    Callback on_init() override
    {
        auto_declare<std::vector<std::string>>("joints", {Robot::joint_names.begin(), Robot::joint_names.end()});
        auto_declare<std::vector<double>>("kp", std::vector<double>(n, 100.0));
        auto_declare<std::vector<double>>("kd", std::vector<double>(n, 20.0));
        return Callback::SUCCESS;
    }

    controller_interface::InterfaceConfiguration command_interface_configuration() const override
    {
        return named({hardware_interface::HW_IF_EFFORT});
    }

    controller_interface::InterfaceConfiguration state_interface_configuration() const override
    {
        return named({hardware_interface::HW_IF_POSITION, hardware_interface::HW_IF_VELOCITY});
    }

    Callback on_configure(const State &) override
    {
        joints_ = get_node()->get_parameter("joints").as_string_array();
        if (joints_.size() != n) {
            RCLCPP_ERROR(get_node()->get_logger(), "%zu joints, give %zu in the order of the model", joints_.size(), n);
            return Callback::ERROR;
        }
        if (!gains("kp", kp_) || !gains("kd", kd_))
            return Callback::ERROR;
        subscription_ = get_node()->create_subscription<Message>(
            "~/reference", rclcpp::SystemDefaultsQoS(), [this](const std::shared_ptr<Message> message) {
                if (message->data.size() != 3 * n) {
                    RCLCPP_WARN(get_node()->get_logger(), "a reference of %zu numbers is left out, give q, qd, qdd",
                                message->data.size());
                    return;
                }
                Reference found;
                for (std::size_t i = 0; i < n; ++i) {
                    found.q[i] = message->data[i];
                    found.qd[i] = message->data[n + i];
                    found.qdd[i] = message->data[2 * n + i];
                }
                reference_.writeFromNonRT(found);
            });
        return Callback::SUCCESS;
    }

    Callback on_activate(const State &) override
    {
        Reference held;
        for (std::size_t i = 0; i < n; ++i)
            held.q[i] = state_interfaces_[2 * i].get_value();
        reference_.writeFromNonRT(held);
        return Callback::SUCCESS;
    }

    Callback on_deactivate(const State &) override
    {
        for (auto &command : command_interfaces_)
            command.set_value(0.0);
        return Callback::SUCCESS;
    }

    controller_interface::return_type update(const rclcpp::Time &, const rclcpp::Duration &) override
    {
        const Reference &wanted = *reference_.readFromRT();
        std::array<double, n> q, qd, qdd, tau;
        for (std::size_t i = 0; i < n; ++i) {
            q[i] = state_interfaces_[2 * i].get_value();
            qd[i] = state_interfaces_[2 * i + 1].get_value();
            qdd[i] = wanted.qdd[i] + kd_[i] * (wanted.qd[i] - qd[i]) + kp_[i] * (wanted.q[i] - q[i]);
        }
        robot_.inverse_dynamics(q, qd, qdd, tau);
        for (std::size_t i = 0; i < n; ++i)
            if (!std::isfinite(tau[i]))
                return controller_interface::return_type::ERROR;
        for (std::size_t i = 0; i < n; ++i)
            command_interfaces_[i].set_value(tau[i]);
        return controller_interface::return_type::OK;
    }

private:
    controller_interface::InterfaceConfiguration named(const std::vector<std::string> &kinds) const
    {
        controller_interface::InterfaceConfiguration found;
        found.type = controller_interface::interface_configuration_type::INDIVIDUAL;
        for (const auto &joint : joints_)
            for (const auto &kind : kinds)
                found.names.push_back(joint + "/" + kind);
        return found;
    }

    bool gains(const std::string &name, std::array<double, n> &into)
    {
        const std::vector<double> given = get_node()->get_parameter(name).as_double_array();
        bool good = given.size() == n;
        for (std::size_t i = 0; good && i < n; ++i) {
            good = std::isfinite(given[i]) && given[i] >= 0.0;
            into[i] = given[i];
        }
        if (!good)
            RCLCPP_ERROR(get_node()->get_logger(), "%s: give %zu numbers from 0 on", name.c_str(), n);
        return good;
    }

    Robot robot_;
    std::vector<std::string> joints_;
    std::array<double, n> kp_{}, kd_{};
    realtime_tools::RealtimeBuffer<Reference> reference_;
    std::shared_ptr<rclcpp::Subscription<Message>> subscription_;
};

} // namespace @R@

PLUGINLIB_EXPORT_CLASS(@R@::ComputedTorqueController, controller_interface::ControllerInterface)
