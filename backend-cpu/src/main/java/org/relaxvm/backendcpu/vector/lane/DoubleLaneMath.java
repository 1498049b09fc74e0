package org.relaxvm.backendcpu.vector.lane;

import jdk.incubator.vector.DoubleVector;
import org.relaxvm.backendcpu.vector.math.DoubleArc;
import org.relaxvm.backendcpu.vector.math.DoubleExp;
import org.relaxvm.backendcpu.vector.math.DoubleHyperbolic;
import org.relaxvm.backendcpu.vector.math.DoubleLog;
import org.relaxvm.backendcpu.vector.math.DoubleNormal;
import org.relaxvm.backendcpu.vector.math.DoubleRest;
import org.relaxvm.backendcpu.vector.math.DoubleSigmoid;
import org.relaxvm.backendcpu.vector.math.DoubleTrigonometry;

/** Functions of float64. */
public final class DoubleLaneMath {
  private DoubleLaneMath() {}

  /** The inverse cosine. */
  public static DoubleVector acos(DoubleVector a) {
    return DoubleArc.acos(a);
  }

  /** The inverse hyperbolic cosine. */
  public static DoubleVector acosh(DoubleVector a) {
    return DoubleLog.acosh(a);
  }

  /** The inverse sine. */
  public static DoubleVector asin(DoubleVector a) {
    return DoubleArc.asin(a);
  }

  /** The inverse hyperbolic sine. */
  public static DoubleVector asinh(DoubleVector a) {
    return DoubleLog.asinh(a);
  }

  /** The inverse tangent. */
  public static DoubleVector atan(DoubleVector a) {
    return DoubleArc.atan(a);
  }

  /** The inverse hyperbolic tangent. */
  public static DoubleVector atanh(DoubleVector a) {
    return DoubleLog.atanh(a);
  }

  /** The cosine. */
  public static DoubleVector cos(DoubleVector a) {
    return DoubleTrigonometry.cosOfAll(a);
  }

  /** The hyperbolic cosine. */
  public static DoubleVector cosh(DoubleVector a) {
    return DoubleHyperbolic.cosh(a);
  }

  /** The error function. */
  public static DoubleVector erf(DoubleVector a) {
    return DoubleNormal.erf(a);
  }

  /** The exponential function. */
  public static DoubleVector exp(DoubleVector a) {
    return DoubleExp.exp(a);
  }

  /** The natural logarithm. */
  public static DoubleVector log(DoubleVector a) {
    return DoubleLog.log(a);
  }

  /** {@code 1 / (1 + exp(-a))}. */
  public static DoubleVector sigmoid(DoubleVector a) {
    return DoubleSigmoid.sigmoid(a);
  }

  /** The sine. */
  public static DoubleVector sin(DoubleVector a) {
    return DoubleTrigonometry.sinOfAll(a);
  }

  /** The hyperbolic sine. */
  public static DoubleVector sinh(DoubleVector a) {
    return DoubleHyperbolic.sinh(a);
  }

  /** The tangent. */
  public static DoubleVector tan(DoubleVector a) {
    return DoubleTrigonometry.tanOfAll(a);
  }

  /** The hyperbolic tangent. */
  public static DoubleVector tanh(DoubleVector a) {
    return DoubleHyperbolic.tanh(a);
  }

  /** The angle of the point {@code (x, y)}. */
  public static DoubleVector atan2(DoubleVector y, DoubleVector x) {
    return DoubleArc.atan2(y, x);
  }

  /** The rest of the quotient that is rounded toward 0, exactly. */
  public static DoubleVector mod(DoubleVector a, DoubleVector b) {
    return DoubleRest.mod(a, b);
  }

  /** The rest of the quotient that is rounded down: has the sign of {@code b} where it is not 0. */
  public static DoubleVector floorMod(DoubleVector a, DoubleVector b) {
    return DoubleRest.floorMod(a, b);
  }
}
