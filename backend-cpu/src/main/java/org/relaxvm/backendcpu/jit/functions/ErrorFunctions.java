package org.relaxvm.backendcpu.jit.functions;

import org.relaxvm.backendcpu.jit.lir.Operand;
import org.relaxvm.backendcpu.jit.lir.Operand.Const;
import org.relaxvm.backendcpu.jit.lir.Operand.Reg;
import org.relaxvm.backendcpu.jit.lir.Relation;

/** The error function: {@code x + x P(x^2)} below 1, above by the exponential function. */
final class ErrorFunctions {
  private static final double[] P32 = {
    0.128379166f,
    -0.376126271f,
    0.112835993f,
    -0.0268544022f,
    0.00518944406f,
    -0.000801994523f,
    7.88585122e-5f
  };
  private static final double[] Q32 = {
    -0.000332727572f,
    -1.12712233f,
    -0.638093853f,
    -0.103147706f,
    0.0218561801f,
    -0.00295184244f,
    0.000186773355f
  };
  private static final double[] P64 = {
    0.1283791670955126,
    -0.3761263890318375,
    0.11283791670954882,
    -0.026866170645077358,
    0.005223977624823091,
    -0.0008548326981102991,
    0.00012055331120648926,
    -1.4925595464024738e-05,
    1.6461003344577548e-06,
    -1.6350339883798446e-07,
    1.4659937473879251e-08,
    -1.1373398091678893e-09,
    5.95797730962743e-11
  };
  private static final double[] V64 = {
    0.308671000466092, 0.3518687353719186, -0.5854055053669011, 0.5324938441962291,
    -0.2516014069465337, 0.014223203072225313, 0.04147715010374649, -0.006257941312856869,
    -0.009143126271037793, 0.00048032590627476073, 0.0023571983491198524, 0.00045305531298332947,
    -0.0005074500385358849, -0.0003036988694798306, 1.5765878419168935e-05, 0.00010286522186398858,
    0.0001335666086087706, -0.0002927386586271611, 0.0004465533191184591, -0.0004928515801496724,
    0.0003135334172034883, -0.00010390845301390458, 1.4110673460360235e-05
  };

  private final LaneWriter lanes;

  ErrorFunctions(LaneWriter lanes) {
    this.lanes = lanes;
  }

  /** {@code erf(x)}. */
  Reg erf(Operand x) {
    // The result of more is 1.
    Reg t = lanes.min(lanes.abs(x), lanes.of(4f, 6));
    Reg far = lanes.isFloat32() ? far32(t) : far64(t);
    Reg z = lanes.mul(t, t);
    Reg near = lanes.fma(lanes.polynomial(z, lanes.isFloat32() ? P32 : P64), t, t);
    // NaN is near: the other result is undefined.
    Reg y = lanes.choose(Relation.GE, t, lanes.of(1), far, near);
    return lanes.withSign(y, lanes.sign(x));
  }

  /** {@code 1 - exp(Q(t))}. */
  private Reg far32(Reg t) {
    Reg e = new Exponentials(lanes, false).ofNormal(lanes.polynomial(t, Q32));
    return lanes.sub(lanes.of(1), e);
  }

  /**
   * {@code 1 - 2 F(-u)} with the normal distribution's {@code F}, {@code u = sqrt(2) t}, {@code u
   * F(-u) = exp(-t^2) V((u - 3/2) / (u + 7/2))}.
   */
  private Reg far64(Reg t) {
    Const one = lanes.of(1);
    Reg u = lanes.mul(t, lanes.of(0x1.6a09e667f3bcdp0));
    Reg position = lanes.div(lanes.sub(u, lanes.of(1.5)), lanes.add(u, lanes.of(3.5)));
    Reg v = lanes.polynomial(position, V64);
    Reg e = new Exponentials(lanes, false).ofNormal(lanes.neg(lanes.mul(t, t)));
    Reg twice = lanes.mul(lanes.mul(v, e), lanes.of(2));
    return lanes.sub(one, lanes.div(twice, u));
  }
}
