package org.relaxvm.backendcpu.jit.lir;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.relaxvm.backendcpu.jit.lir.Operand.Address;
import org.relaxvm.backendcpu.jit.lir.Operand.Reg;

/** A statement. Immutable. */
public sealed interface Lir {
  /** The statement as dumps write it, without those in it. */
  default String line() {
    return LirText.head(this);
  }

  /** {@code result = op(args)}. */
  record Compute(Op op, Reg result, List<Operand> args) implements Lir {
    /** Copies the list. */
    public Compute {
      args = List.copyOf(args);
    }
  }

  /**
   * Compares.
   *
   * @param result a mask of the lanes of integers or floats, or a word that is 0 or 1 of words or
   *     of one float
   */
  record Compare(Relation relation, Reg result, Operand a, Operand b) implements Lir {}

  /**
   * Reads adjacent elements as lanes, or one element as a word, a float or all lanes.
   *
   * @param bits of an element in memory, at most those of a lane
   * @param isSigned whether narrower integers are extended with their sign
   * @param isSplat whether one element is read for all lanes
   * @param mask the lanes that are read, others become 0; all if null
   */
  record Load(
      Reg result, Address from, int bits, boolean isSigned, boolean isSplat, @Nullable Reg mask)
      implements Lir {}

  /**
   * Writes lanes as adjacent elements, or the low bits of a word or a float as one element.
   *
   * @param bits of an element in memory, at most those of a lane; the low ones are written
   * @param mask the lanes that are written; all if null
   */
  record Store(Address to, Operand value, int bits, @Nullable Reg mask) implements Lir {}

  /**
   * Reads elements of 32 or 64 bits at {@code base + index * scale + displacement}.
   *
   * @param result lanes of as many bits as an element has
   * @param index as many lanes of int32 or int64 with a sign
   * @param mask the lanes that are read, others become 0; all if null
   */
  record Gather(Reg result, Reg base, Reg index, int scale, int displacement, @Nullable Reg mask)
      implements Lir {}

  /**
   * Runs {@code body}, then adds {@code step} to {@code counter}, while {@code counter < limit}.
   *
   * @param counter a word, which has its first value before the loop
   * @param limit a word
   * @param step more than 0
   * @param isEntered whether the counter is known to be less than the limit at first
   */
  record Loop(Reg counter, Operand limit, long step, boolean isEntered, List<Lir> body)
      implements Lir {
    /** Copies the list. */
    public Loop {
      body = List.copyOf(body);
    }
  }

  /** One of two lists, by how two words compare. */
  record If(Relation relation, Operand a, Operand b, List<Lir> whenTrue, List<Lir> whenFalse)
      implements Lir {
    /** Copies the lists. */
    public If {
      whenTrue = List.copyOf(whenTrue);
      whenFalse = List.copyOf(whenFalse);
    }
  }

  /**
   * Ends the function with a status if two words compare so. Rarely taken.
   *
   * @param status more than 0
   * @param values words that are written to the failure slots, at most {@link
   *     LirFunction#FAILURE_SLOTS}
   */
  record FailIf(Relation relation, Operand a, Operand b, int status, List<Operand> values)
      implements Lir {
    /** Copies the list. */
    public FailIf {
      values = List.copyOf(values);
    }
  }
}
