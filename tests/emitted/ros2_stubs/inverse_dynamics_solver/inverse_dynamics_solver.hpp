// Stand-in: the virtual functions of a solver.
#pragma once
#include "rclcpp/node_interfaces/node_parameters_interface.hpp"
#include <Eigen/Core>
#include <string>
#include <tuple>

namespace inverse_dynamics_solver {
class InverseDynamicsSolver {
public:
    using Vector = Eigen::VectorXd;
    virtual ~InverseDynamicsSolver() = default;
    virtual void initialize(rclcpp::node_interfaces::NodeParametersInterface::ConstSharedPtr = nullptr,
                            const std::string & = "", const std::string & = "") = 0;
    virtual std::tuple<Eigen::MatrixXd, Vector, Vector> getDynamicParameters(const Vector &, const Vector &) const = 0;
    virtual Eigen::MatrixXd getInertiaMatrix(const Vector &) const = 0;
    virtual Vector getCoriolisVector(const Vector &, const Vector &) const = 0;
    virtual Vector getGravityVector(const Vector &) const = 0;
    virtual Vector getFrictionVector(const Vector &) const = 0;
    virtual Vector getTorques(const Vector &, const Vector &, const Vector &) const = 0;
};
} // namespace inverse_dynamics_solver
