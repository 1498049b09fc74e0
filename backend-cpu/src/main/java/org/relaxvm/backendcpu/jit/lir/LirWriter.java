package org.relaxvm.backendcpu.jit.lir;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.relaxvm.backendcpu.jit.lir.Operand.Address;
import org.relaxvm.backendcpu.jit.lir.Operand.Const;
import org.relaxvm.backendcpu.jit.lir.Operand.Imm;
import org.relaxvm.backendcpu.jit.lir.Operand.Reg;

/** Writes the statements of a function. Not thread-safe. */
public final class LirWriter {
  private final String name;
  private final Reg block;
  private final Reg from;
  private final Reg to;
  private final Reg scratch;
  private final Deque<List<Lir>> lists = new ArrayDeque<>();
  private int registers;

  /** A writer of a function that has no statements yet. */
  public LirWriter(String name) {
    this.name = name;
    block = reg(Type.WORD);
    from = reg(Type.WORD);
    to = reg(Type.WORD);
    scratch = reg(Type.WORD);
    lists.push(new ArrayList<>());
  }

  /** The address of the words that the caller and the code share. */
  public Reg block() {
    return block;
  }

  /** The first iteration. */
  public Reg from() {
    return from;
  }

  /** One past the last iteration. */
  public Reg to() {
    return to;
  }

  /** The address of memory of this call. */
  public Reg scratch() {
    return scratch;
  }

  /** The function. */
  public LirFunction finish() {
    if (lists.size() != 1) {
      throw new IllegalStateException("a list of statements is not closed");
    }
    return new LirFunction(name, block, from, to, scratch, lists.peek(), registers);
  }

  /** A new register that nothing defines yet. */
  public Reg reg(Type type) {
    return new Reg(registers++, type);
  }

  /** Opens a list; statements go to its end until it is closed. */
  public void open() {
    lists.push(new ArrayList<>());
  }

  /** Opens a list that has statements already; they are written before what encloses it. */
  public void open(List<Lir> list) {
    lists.push(list);
  }

  /** The list that statements are appended to. */
  public List<Lir> current() {
    return lists.element();
  }

  /** Closes the list that was opened last. */
  public List<Lir> close() {
    return lists.pop();
  }

  /** Appends a statement. */
  public void add(Lir lir) {
    lists.element().add(lir);
  }

  /** Appends statements. */
  public void addAll(List<Lir> statements) {
    lists.element().addAll(statements);
  }

  /** {@code result = op(args)} with a new register. */
  public Reg compute(Op op, Type result, Operand... args) {
    Reg reg = reg(result);
    set(reg, op, args);
    return reg;
  }

  /** {@code result = op(args)}. */
  public void set(Reg result, Op op, Operand... args) {
    if (args.length != op.arity()) {
      throw new IllegalArgumentException(op + " takes " + op.arity() + " operands");
    }
    add(new Lir.Compute(op, result, List.of(args)));
  }

  /** A register with the value of an operand, which may be constant. */
  public Reg inRegister(Operand operand) {
    return operand instanceof Reg reg ? reg : compute(Op.MOVE, operand.type(), operand);
  }

  /** An operation whose result has the type of the first operand. */
  public Reg op(Op op, Operand first, Operand... others) {
    Operand[] args = new Operand[others.length + 1];
    args[0] = first;
    System.arraycopy(others, 0, args, 1, others.length);
    return compute(op, first.type(), args);
  }

  /** A sum of words, computed now where both are constant. */
  public Operand addWords(Operand a, Operand b) {
    if (a instanceof Imm(long x) && b instanceof Imm(long y)) {
      return new Imm(x + y);
    }
    if (b instanceof Imm(long y) && y == 0) {
      return a;
    }
    if (a instanceof Imm(long x)) {
      return x == 0 ? b : op(Op.ADD, b, a);
    }
    return op(Op.ADD, a, b);
  }

  /** A product of words, computed now where both are constant. */
  public Operand multiplyWords(Operand a, Operand b) {
    if (a instanceof Imm(long x)) {
      if (b instanceof Imm(long y)) {
        return new Imm(x * y);
      }
      return multiplyWords(b, a);
    }
    if (b instanceof Imm(long y)) {
      if (y == 0) {
        return b;
      }
      if (y == 1) {
        return a;
      }
      if (y > 0 && Long.bitCount(y) == 1) {
        return op(Op.SHL, a, new Imm(Long.numberOfTrailingZeros(y)));
      }
    }
    return op(Op.MUL, a, b);
  }

  /** Compares into a new register: a word for words and one float, else a mask. */
  public Reg compare(Relation relation, Operand a, Operand b) {
    Type type = a.type();
    Reg result = reg(type.lanes() == 1 && !type.isInt() ? Type.WORD : type.maskType());
    add(new Lir.Compare(relation, result, a, b));
    return result;
  }

  /** {@code mask ? a : b}. */
  public Reg blend(Reg mask, Operand a, Operand b) {
    return compute(Op.BLEND, a.type(), mask, a, b);
  }

  /** Lanes of a constant float. */
  public Const constant(Type type, double value) {
    return Const.of(type, value);
  }

  /** Reads a word, a float or lanes. */
  public Reg load(
      Type result, Address at, int bits, boolean isSigned, boolean isSplat, @Nullable Reg mask) {
    Reg reg = reg(result);
    add(new Lir.Load(reg, at, bits, isSigned, isSplat, mask));
    return reg;
  }

  /** Reads a word of a block. */
  public Reg loadWord(Reg base, int displacement) {
    return load(Type.WORD, Address.of(base, displacement), 64, true, false, null);
  }

  /** Writes a word, a float or lanes. */
  public void store(Address at, Operand value, int bits, @Nullable Reg mask) {
    add(new Lir.Store(at, value, bits, mask));
  }
}
