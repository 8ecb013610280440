// Runs the generated controller and solver plugin against stand-ins; prints torques, or what is wrong.
#include "controller_interface/controller_interface.hpp"
#include "inverse_dynamics_solver/inverse_dynamics_solver.hpp"
#include "std_msgs/msg/float64_multi_array.hpp"
#include <cstdlib>
#include <new>
#include <stdexcept>

static int allocations = 0;
void *operator new(std::size_t size)
{
    ++allocations;
    if (void *found = std::malloc(size))
        return found;
    throw std::bad_alloc();
}
void operator delete(void *old) noexcept { std::free(old); }
void operator delete(void *old, std::size_t) noexcept { std::free(old); }

std::unique_ptr<controller_interface::ControllerInterface> make_controller();
std::unique_ptr<inverse_dynamics_solver::InverseDynamicsSolver> make_solver();

static void print(const char *name, const Eigen::MatrixXd &values)
{
    std::printf("%s", name);
    for (Eigen::Index i = 0; i < values.rows(); ++i)
        for (Eigen::Index j = 0; j < values.cols(); ++j)
            std::printf(" %.17g", values(i, j));
    std::printf("\n");
}

int main()
{
    using controller_interface::CallbackReturn;
    const int n = @n@;
    auto controller = make_controller();
    const rclcpp_lifecycle::State state;
    if (controller->on_init() != CallbackReturn::SUCCESS)
        return 1;
    controller->get_node()->parameters["kp"].value = std::vector<double>(2, 1.0);
    if (controller->on_configure(state) != CallbackReturn::ERROR)
        return 2; // two gains
    controller->get_node()->parameters["kp"].value = std::vector<double>(n, 50.0);
    if (controller->on_configure(state) != CallbackReturn::SUCCESS)
        return 3;
    for (const auto &name : controller->state_interface_configuration().names)
        std::printf("%s ", name.c_str());
    std::printf("\n");

    std::vector<double> states(2 * n), commands(n);
    std::vector<hardware_interface::LoanedStateInterface> loaned;
    std::vector<hardware_interface::LoanedCommandInterface> written;
    for (int i = 0; i < n; ++i)
        states[2 * i] = 0.1 * (i + 1), states[2 * i + 1] = 0.0;
    for (double &x : states)
        loaned.push_back({&x});
    for (double &x : commands)
        written.push_back({&x});
    controller->assign_interfaces(written, loaned);
    if (controller->on_activate(state) != CallbackReturn::SUCCESS)
        return 4;

    const int before = allocations;
    if (controller->update({}, {}) != controller_interface::return_type::OK)
        return 5;
    if (allocations != before)
        return 6;
    print("held", Eigen::Map<Eigen::VectorXd>(commands.data(), n));

    using Message = std_msgs::msg::Float64MultiArray;
    auto subscription = std::any_cast<std::shared_ptr<rclcpp::Subscription<Message>>>(
        controller->get_node()->last_subscription);
    auto message = std::make_shared<Message>();
    for (int i = 0; i < 3 * n; ++i)
        message->data.push_back(0.01 * i);
    subscription->received(message);
    for (int i = 0; i < n; ++i)
        states[2 * i + 1] = 0.2 * (i + 1);
    controller->update({}, {});
    print("moved", Eigen::Map<Eigen::VectorXd>(commands.data(), n));
    states[0] = NAN;
    if (controller->update({}, {}) != controller_interface::return_type::ERROR)
        return 7;

    auto solver = make_solver();
    solver->initialize();
    Eigen::VectorXd q(n), qd(n), qdd(n);
    for (int i = 0; i < n; ++i)
        q[i] = 0.1 * (i + 1), qd[i] = 0.2 * (i + 1), qdd[i] = 0.3 * (i + 1);
    print("M", solver->getInertiaMatrix(q));
    print("C", solver->getCoriolisVector(q, qd));
    print("g", solver->getGravityVector(q));
    print("f", solver->getFrictionVector(qd));
    print("tau", solver->getTorques(q, qd, qdd));
    if (std::get<0>(solver->getDynamicParameters(q, qd)) != solver->getInertiaMatrix(q))
        return 8;
    try {
        solver->getGravityVector(Eigen::VectorXd(2));
        return 9;
    } catch (const std::invalid_argument &) {
    }
    return 0;
}
