// Stand-in: parameters in a map, one subscription that a test calls, log lines to stderr.
#pragma once
#include <any>
#include <cstdio>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#define RCLCPP_ERROR(logger, ...) (std::fprintf(stderr, __VA_ARGS__), std::fputc('\n', stderr))
#define RCLCPP_WARN(logger, ...) RCLCPP_ERROR(logger, __VA_ARGS__)

namespace rclcpp {
class Time {};
class Duration {};
class Logger {};
class SystemDefaultsQoS {};

struct Parameter {
    std::any value;
    std::vector<std::string> as_string_array() const { return std::any_cast<std::vector<std::string>>(value); }
    std::vector<double> as_double_array() const { return std::any_cast<std::vector<double>>(value); }
};

template <class Message> struct Subscription {
    std::function<void(std::shared_ptr<Message>)> received;
};
} // namespace rclcpp

namespace rclcpp_lifecycle {
class State {};

class LifecycleNode {
public:
    std::map<std::string, rclcpp::Parameter> parameters;
    std::any last_subscription;

    rclcpp::Parameter get_parameter(const std::string &name) const { return parameters.at(name); }
    rclcpp::Logger get_logger() const { return {}; }

    template <class Message, class Callback>
    std::shared_ptr<rclcpp::Subscription<Message>> create_subscription(const std::string &, rclcpp::SystemDefaultsQoS,
                                                                       Callback callback)
    {
        auto made = std::make_shared<rclcpp::Subscription<Message>>();
        made->received = callback;
        last_subscription = made;
        return made;
    }
};
} // namespace rclcpp_lifecycle
