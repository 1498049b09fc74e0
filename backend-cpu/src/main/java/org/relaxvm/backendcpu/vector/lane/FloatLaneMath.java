package org.relaxvm.backendcpu.vector.lane;

import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.FloatVector;
import org.relaxvm.backendcpu.vector.math.DoubleArc;
import org.relaxvm.backendcpu.vector.math.DoubleHyperbolic;
import org.relaxvm.backendcpu.vector.math.DoubleLog;
import org.relaxvm.backendcpu.vector.math.DoubleTrigonometry;
import org.relaxvm.backendcpu.vector.math.FloatErf;
import org.relaxvm.backendcpu.vector.math.FloatExp;
import org.relaxvm.backendcpu.vector.math.FloatLog;
import org.relaxvm.backendcpu.vector.math.FloatPower;
import org.relaxvm.backendcpu.vector.math.FloatRest;

/**
 * Functions of full vectors of float32. Those without code of their own are computed in float64.
 */
public final class FloatLaneMath {
  private FloatLaneMath() {}

  /** The inverse cosine. */
  public static FloatVector acos(FloatVector a) {
    DoubleVector low = DoubleArc.acos(Lanes.first(a));
    return Lanes.join(low, DoubleArc.acos(Lanes.second(a)));
  }

  /** The inverse hyperbolic cosine. */
  public static FloatVector acosh(FloatVector a) {
    DoubleVector low = DoubleLog.acosh(Lanes.first(a));
    return Lanes.join(low, DoubleLog.acosh(Lanes.second(a)));
  }

  /** The inverse sine. */
  public static FloatVector asin(FloatVector a) {
    DoubleVector low = DoubleArc.asin(Lanes.first(a));
    return Lanes.join(low, DoubleArc.asin(Lanes.second(a)));
  }

  /** The inverse hyperbolic sine. */
  public static FloatVector asinh(FloatVector a) {
    DoubleVector low = DoubleLog.asinh(Lanes.first(a));
    return Lanes.join(low, DoubleLog.asinh(Lanes.second(a)));
  }

  /** The inverse tangent. */
  public static FloatVector atan(FloatVector a) {
    DoubleVector low = DoubleArc.atan(Lanes.first(a));
    return Lanes.join(low, DoubleArc.atan(Lanes.second(a)));
  }

  /** The inverse hyperbolic tangent. */
  public static FloatVector atanh(FloatVector a) {
    DoubleVector low = DoubleLog.atanh(Lanes.first(a));
    return Lanes.join(low, DoubleLog.atanh(Lanes.second(a)));
  }

  /** The cosine. */
  public static FloatVector cos(FloatVector a) {
    DoubleVector low = DoubleTrigonometry.cosOfAll(Lanes.first(a));
    return Lanes.join(low, DoubleTrigonometry.cosOfAll(Lanes.second(a)));
  }

  /** The hyperbolic cosine. */
  public static FloatVector cosh(FloatVector a) {
    DoubleVector low = DoubleHyperbolic.cosh(Lanes.first(a));
    return Lanes.join(low, DoubleHyperbolic.cosh(Lanes.second(a)));
  }

  /** The error function. */
  public static FloatVector erf(FloatVector a) {
    return FloatErf.erf(a);
  }

  /** The exponential function. */
  public static FloatVector exp(FloatVector a) {
    return FloatExp.exp(a);
  }

  /** The natural logarithm. */
  public static FloatVector log(FloatVector a) {
    return FloatLog.log(a);
  }

  /** {@code 1 / (1 + exp(-a))}. */
  public static FloatVector sigmoid(FloatVector a) {
    return FloatExp.sigmoid(a);
  }

  /** The sine. */
  public static FloatVector sin(FloatVector a) {
    DoubleVector low = DoubleTrigonometry.sinOfAll(Lanes.first(a));
    return Lanes.join(low, DoubleTrigonometry.sinOfAll(Lanes.second(a)));
  }

  /** The hyperbolic sine. */
  public static FloatVector sinh(FloatVector a) {
    DoubleVector low = DoubleHyperbolic.sinh(Lanes.first(a));
    return Lanes.join(low, DoubleHyperbolic.sinh(Lanes.second(a)));
  }

  /** The tangent. */
  public static FloatVector tan(FloatVector a) {
    DoubleVector low = DoubleTrigonometry.tanOfAll(Lanes.first(a));
    return Lanes.join(low, DoubleTrigonometry.tanOfAll(Lanes.second(a)));
  }

  /** The hyperbolic tangent. */
  public static FloatVector tanh(FloatVector a) {
    return FloatExp.tanh(a);
  }

  /** The angle of the point {@code (x, y)}. */
  public static FloatVector atan2(FloatVector y, FloatVector x) {
    DoubleVector low = DoubleArc.atan2(Lanes.first(y), Lanes.first(x));
    return Lanes.join(low, DoubleArc.atan2(Lanes.second(y), Lanes.second(x)));
  }

  /** {@code a} to the power of {@code b}, as C has it. */
  public static FloatVector pow(FloatVector a, FloatVector b) {
    DoubleVector low = FloatPower.pow(Lanes.first(a), Lanes.first(b));
    return Lanes.join(low, FloatPower.pow(Lanes.second(a), Lanes.second(b)));
  }

  /** The rest of the quotient that is rounded toward 0, exactly. */
  public static FloatVector mod(FloatVector a, FloatVector b) {
    return FloatRest.mod(a, b);
  }

  /** The rest of the quotient that is rounded down: has the sign of {@code b} where it is not 0. */
  public static FloatVector floorMod(FloatVector a, FloatVector b) {
    return FloatRest.floorMod(a, b);
  }
}
