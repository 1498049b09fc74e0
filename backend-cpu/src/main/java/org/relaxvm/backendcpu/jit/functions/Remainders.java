package org.relaxvm.backendcpu.jit.functions;

import java.util.List;
import org.relaxvm.backendcpu.jit.lir.Lir;
import org.relaxvm.backendcpu.jit.lir.LirWriter;
import org.relaxvm.backendcpu.jit.lir.Op;
import org.relaxvm.backendcpu.jit.lir.Operand;
import org.relaxvm.backendcpu.jit.lir.Operand.Imm;
import org.relaxvm.backendcpu.jit.lir.Operand.Reg;
import org.relaxvm.backendcpu.jit.lir.Relation;

/**
 * Exact remainders of divisions of floats. A quotient that is rounded up to an integer leaves a
 * remainder of the wrong sign, to which the divisor is added once. Where a quotient has more bits
 * than a float holds, the remainder is found in several steps; each one divides it by 2^22 or more.
 */
final class Remainders {
  private final LaneWriter lanes;
  // Quotients of less are off by less than 1.
  private final double largestQuotient;

  Remainders(LaneWriter lanes) {
    this.lanes = lanes;
    largestQuotient = lanes.isFloat32() ? 0x1p22 : 0x1p52;
  }

  /** The remainder of {@code x / y} rounded towards 0; it has the sign of {@code x}. */
  Reg truncated(Operand x, Operand y) {
    Reg divisor = lanes.abs(y);
    Reg rest = lanes.move(lanes.abs(x));
    Reg quotient = lanes.move(lanes.div(rest, divisor));
    Reg isLarge = lanes.compare(Relation.GE, quotient, lanes.of(largestQuotient));
    Reg any = lanes.any(isLarge);
    LirWriter writer = lanes.writer();
    writer.open();
    reduce(rest, divisor);
    lanes.set(quotient, lanes.div(rest, divisor));
    List<Lir> whenLarge = writer.close();
    writer.add(new Lir.If(Relation.NE, any, new Imm(0), whenLarge, List.of()));

    Reg whole = lanes.op(Op.TRUNC, quotient);
    Reg result = lanes.fnma(whole, divisor, rest);
    Reg corrected = lanes.add(result, divisor);
    result = lanes.choose(Relation.LT, result, lanes.of(0), corrected, result);
    // Of finite numbers it is the dividend.
    Reg isInfinite = lanes.compare(Relation.EQ, divisor, lanes.of(Double.POSITIVE_INFINITY));
    Reg isFinite = lanes.compare(Relation.LT, rest, lanes.of(Double.POSITIVE_INFINITY));
    result = lanes.choose(lanes.op(Op.AND, isInfinite, isFinite), rest, result);
    return lanes.withSign(result, lanes.sign(x));
  }

  /** The remainder of {@code x / y} rounded down; it has the sign of {@code y} if it is not 0. */
  Reg floor(Operand x, Operand y) {
    Reg rest = truncated(x, y);
    Reg signs = lanes.sign(lanes.op(Op.XOR, rest, y));
    Reg differ = lanes.compare(Relation.LT, lanes.withSign(lanes.of(1), signs), lanes.of(0));
    Reg isNotZero = lanes.compare(Relation.NE, rest, lanes.of(0));
    return lanes.choose(lanes.op(Op.AND, differ, isNotZero), lanes.add(rest, y), rest);
  }

  /** Makes {@code rest} less than the divisor times the largest quotient. */
  private void reduce(Reg rest, Reg divisor) {
    LirWriter writer = lanes.writer();
    Reg counter = lanes.move(new Imm(0));
    Reg limit = lanes.move(new Imm(1));
    writer.open();
    Reg scaled = whereFinite(rest, whereFinite(rest, divisor));
    Reg quotient = lanes.div(rest, scaled);
    Reg whole = lanes.op(Op.TRUNC, quotient);
    // Rounded down: then the difference, which is less than its last bit times the divisor, is
    // exact.
    Reg isUp = lanes.compare(Relation.LT, lanes.fnma(whole, scaled, rest), lanes.of(0));
    Reg previous = lanes.toFloats(lanes.sub(lanes.toInts(whole), lanes.integer(1)));
    whole = lanes.choose(isUp, lanes.op(Op.TRUNC, previous), whole);
    Reg next = lanes.fnma(whole, scaled, rest);
    Reg isAbove = lanes.compare(Relation.GE, lanes.div(rest, divisor), lanes.of(largestQuotient));
    Reg isFinite = lanes.compare(Relation.LT, rest, lanes.of(Double.POSITIVE_INFINITY));
    Reg isPositive = lanes.compare(Relation.GT, divisor, lanes.of(0));
    Reg isLeft = lanes.op(Op.AND, isAbove, lanes.op(Op.AND, isFinite, isPositive));
    lanes.set(rest, lanes.choose(isLeft, next, rest));
    Reg any = lanes.any(isLeft);
    writer.set(limit, Op.SELECT, any, new Imm(Long.MAX_VALUE), new Imm(0));
    List<Lir> body = writer.close();
    writer.add(new Lir.Loop(counter, limit, 1, true, body));
  }

  /** The divisor, or a multiple of it where the quotient is too large for a float. */
  private Reg whereFinite(Reg rest, Reg divisor) {
    Reg quotient = lanes.div(rest, divisor);
    Reg larger = lanes.mul(divisor, lanes.of(0x1p120f, 0x1p1000));
    Reg isInfinite = lanes.compare(Relation.EQ, quotient, lanes.of(Double.POSITIVE_INFINITY));
    return lanes.choose(isInfinite, larger, divisor);
  }
}
