/* '@robot@' as a plugin of inverse_dynamics_solver, written by taut. The model is in the code: a robot description that
 * is handed over is not read. Vectors have the order of @R@::Robot::joint_names.
 */
#include "@R@.hpp"
#include "inverse_dynamics_solver/inverse_dynamics_solver.hpp"
#include "pluginlib/class_list_macros.hpp"

#include <stdexcept>
#include <string>
#include <tuple>

namespace @R@ {

class InverseDynamicsSolver : public inverse_dynamics_solver::InverseDynamicsSolver {
    static constexpr Eigen::Index n = Robot::qd_size;
    using Vector = Eigen::VectorXd;

public:
    void initialize(rclcpp::node_interfaces::NodeParametersInterface::ConstSharedPtr = nullptr,
                    const std::string & = "", const std::string & = "") override
    {
    }

    std::tuple<Eigen::MatrixXd, Vector, Vector> getDynamicParameters(const Vector &q, const Vector &qd) const override
    {
        return {getInertiaMatrix(q), getCoriolisVector(q, qd), getGravityVector(q)};
    }

    Eigen::MatrixXd getInertiaMatrix(const Vector &q) const override { return robot_.mass_matrix(checked(q)); }

    Vector getCoriolisVector(const Vector &q, const Vector &qd) const override
    {
        return robot_.bias(checked(q), checked(qd)) - robot_.gravity(checked(q));
    }

    Vector getGravityVector(const Vector &q) const override { return robot_.gravity(checked(q)); }

    Vector getFrictionVector(const Vector &qd) const override { return robot_.friction(checked(qd)); }

    Vector getTorques(const Vector &q, const Vector &qd, const Vector &qdd) const override
    {
        return robot_.inverse_dynamics(checked(q), checked(qd), checked(qdd));
    }

private:
    static const Vector &checked(const Vector &given)
    {
        if (given.size() != n)
            throw std::invalid_argument("a vector of " + std::to_string(given.size()) + " numbers; give " +
                                        std::to_string(n));
        return given;
    }

    Robot robot_;
};

} // namespace @R@

PLUGINLIB_EXPORT_CLASS(@R@::InverseDynamicsSolver, inverse_dynamics_solver::InverseDynamicsSolver)
