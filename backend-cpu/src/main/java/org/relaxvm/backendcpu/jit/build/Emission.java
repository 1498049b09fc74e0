package org.relaxvm.backendcpu.jit.build;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.DType;
import org.relaxvm.backendcpu.codegen.loops.Affine;
import org.relaxvm.backendcpu.codegen.loops.IndexCheck;
import org.relaxvm.backendcpu.codegen.loops.LoopProgram;
import org.relaxvm.backendcpu.jit.lir.Lir;
import org.relaxvm.backendcpu.jit.lir.LirWriter;
import org.relaxvm.backendcpu.jit.lir.Op;
import org.relaxvm.backendcpu.jit.lir.Operand;
import org.relaxvm.backendcpu.jit.lir.Operand.Address;
import org.relaxvm.backendcpu.jit.lir.Operand.Imm;
import org.relaxvm.backendcpu.jit.lir.Operand.Reg;
import org.relaxvm.backendcpu.jit.lir.Relation;
import org.relaxvm.backendcpu.jit.lir.Target;
import org.relaxvm.backendcpu.jit.lir.Type;
import org.relaxvm.backendcpu.jit.run.BlockLayout;
import org.relaxvm.backendcpu.jit.run.Failure;
import org.relaxvm.tir.arith.Analyzer;
import org.relaxvm.tir.expr.Binary;
import org.relaxvm.tir.expr.BinaryOp;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.BufferLoad;
import org.relaxvm.tir.expr.Call;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.Intrinsic;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.rewrite.Substitution;

/**
 * What the writers of one fragment share: scopes, where values are computed, addresses of elements,
 * failures. Not thread-safe.
 */
final class Emission {
  /** Displacements beyond are added to a register. */
  private static final long LARGEST_DISPLACEMENT = 1 << 30;

  /** An address that does not depend on the counter of a loop. */
  private record BaseKey(Buffer buffer, PrimExpr index) {}

  /** A pointer that moves with the counter of a loop. */
  private record PointerKey(Buffer buffer, PrimExpr index) {}

  final LirWriter writer;
  final Target target;
  final LoopProgram program;
  final BlockLayout layout;
  final Analyzer analyzer = new Analyzer();
  final List<Scope> scopes = new ArrayList<>();
  final List<Failure> failures = new ArrayList<>();

  /** Variables that differ from lane to lane of the vector loop that is written. */
  final Set<Var> varying = Collections.newSetFromMap(new IdentityHashMap<>());

  private final Map<Buffer, Reg> scratch = new IdentityHashMap<>();
  private final Map<Held, Reg> held = new HashMap<>();
  private int divisionByZero;
  private int at;

  Emission(LirWriter writer, Target target, LoopProgram program, BlockLayout layout) {
    this.writer = writer;
    this.target = target;
    this.program = program;
    this.layout = layout;
  }

  /** The scope that statements are written to. */
  Scope scope() {
    return scopes.get(at);
  }

  /** Opens a scope; statements go there until it is closed. */
  Scope open(Scope.Kind kind, Set<Buffer> written) {
    List<Lir> list = new ArrayList<>();
    Scope scope = new Scope(kind, list, written);
    if (!scopes.isEmpty()) {
      scope.masks = scope().masks;
    }
    scope.outer = at;
    scopes.add(scope);
    at = scopes.size() - 1;
    writer.open(list);
    return scope;
  }

  /** Closes the innermost scope. */
  List<Lir> close() {
    Scope scope = scopes.removeLast();
    at = scope.outer;
    writer.close();
    return scope.statements;
  }

  /** Writes something to the list of a scope, in front of what is written inside of it now. */
  <T> T at(int depth, Supplier<T> what) {
    if (depth == at) {
      return what.get();
    }
    int before = at;
    at = depth;
    writer.open(scopes.get(depth).statements);
    try {
      return what.get();
    } finally {
      writer.close();
      at = before;
    }
  }

  int depth() {
    return at;
  }

  /** Defines a variable in the current scope. */
  void define(Var var, Operand value) {
    scope().variables.put(var, value);
  }

  /** What a variable of a scope is; null if it is one of the block. */
  @Nullable Operand known(Var var) {
    for (int i = at; i >= 0; i--) {
      Operand value = scopes.get(i).variables.get(var);
      if (value != null) {
        return value;
      }
    }
    return null;
  }

  /** Whether the value differs from lane to lane. */
  boolean varies(PrimExpr expr) {
    if (varying.isEmpty()) {
      return false;
    }
    if (expr instanceof Var var) {
      return varying.contains(var);
    }
    for (PrimExpr operand : expr.operands()) {
      if (varies(operand)) {
        return true;
      }
    }
    return false;
  }

  /** The outermost scope in which an expression has the value that it has here. */
  int home(PrimExpr expr) {
    return switch (expr) {
      case Var var -> homeOf(var);
      case BufferLoad load -> {
        int home = Math.max(home(load.indices().getFirst()), certain());
        for (int i = at; i > home; i--) {
          if (scopes.get(i).written.contains(load.buffer())
              && scopes.get(i).kind == Scope.Kind.BODY) {
            home = i;
          }
        }
        yield program.checks().containsKey(load) ? at : home;
      }
      case Call call when call.op() == Intrinsic.IF_THEN_ELSE && Dependences.reads(call) -> at;
      case Binary binary when mayFail(binary) -> Math.max(homeOf(binary.operands()), certain());
      default -> homeOf(expr.operands());
    };
  }

  private int homeOf(List<PrimExpr> operands) {
    int home = 0;
    for (PrimExpr operand : operands) {
      home = Math.max(home, home(operand));
    }
    return home;
  }

  private int homeOf(Var var) {
    for (int i = at; i >= 0; i--) {
      if (scopes.get(i).variables.containsKey(var)) {
        return i;
      }
    }
    return 0;
  }

  /** The outermost scope that runs whenever the current one does. */
  private int certain() {
    int depth = at;
    while (depth > 0
        && (scopes.get(depth).kind == Scope.Kind.BODY || scopes.get(depth).isEntered)) {
      // A preheader runs if and only if the body does.
      depth--;
    }
    return depth;
  }

  static boolean mayFail(Binary binary) {
    boolean divides =
        switch (binary.op()) {
          case DIV, MOD, FLOOR_DIV, FLOOR_MOD -> true;
          default -> false;
        };
    return divides
        && !binary.dtype().isFloat()
        && !(binary.b() instanceof IntImm divisor && divisor.value() != 0);
  }

  // ---- elements in registers ------------------------------------------------------------------

  /** The key of a copy of an element that stays in a register. */
  record Held(BufferLoad element, int copy) {}

  /** The register of an element; null if it is in memory. */
  @Nullable Reg held(Buffer buffer, PrimExpr index, int copy) {
    return held.isEmpty() ? null : held.get(new Held(new BufferLoad(buffer, List.of(index)), copy));
  }

  void hold(BufferLoad element, int copy, Reg register) {
    held.put(new Held(element, copy), register);
  }

  void release(BufferLoad element, int copy) {
    held.remove(new Held(element, copy));
  }

  // ---- memory -----------------------------------------------------------------------------------

  /** Memory of the fragment itself, at an offset of the scratch memory. */
  void allocate(Buffer buffer, long offset) {
    Reg address =
        at(0, () -> writer.inRegister(writer.addWords(writer.scratch(), new Imm(offset))));
    scratch.put(buffer, address);
  }

  private Reg start(Buffer buffer) {
    Reg known = scratch.get(buffer);
    if (known != null) {
      return known;
    }
    Reg loaded = scopes.getFirst().addresses.get(buffer);
    if (loaded == null) {
      loaded = at(0, () -> writer.loadWord(writer.block(), layout.offset(buffer)));
      scopes.getFirst().addresses.put(buffer, loaded);
    }
    return loaded;
  }

  /** The word of a variable of the block. */
  Reg blockWord(Var var) {
    Operand known = scopes.getFirst().variables.get(var);
    if (known != null) {
      return (Reg) known;
    }
    Reg loaded = at(0, () -> writer.loadWord(writer.block(), layout.offset(var)));
    scopes.getFirst().variables.put(var, loaded);
    return loaded;
  }

  /**
   * The address of an element; of lanes, of that of the first lane of the first copy.
   *
   * @param index in elements of the buffer
   */
  Address address(Words words, Buffer buffer, PrimExpr index) {
    int size = buffer.dtype().elementByteSize();
    long[] constant = {0};
    PrimExpr rest = withoutConstant(index, constant);
    long displacement = constant[0] * size;
    if (Math.abs(displacement) > LARGEST_DISPLACEMENT) {
      rest = index;
      displacement = 0;
    }
    int loop = loopOf(rest);
    if (loop >= 0) {
      Scope body = scopes.get(loop);
      Var counter = Objects.requireNonNull(body.counter);
      PrimExpr step = step(rest, counter);
      if (step != null) {
        if (step instanceof IntImm(DType dtype, long elements) && isScale(elements * size)) {
          PrimExpr base = Substitution.in(rest, Map.of(counter, IntImm.of(0)));
          long[] more = {0};
          PrimExpr variable = withoutConstant(analyzer.simplify(base), more);
          long moved = displacement + more[0] * size;
          if (Math.abs(moved) <= LARGEST_DISPLACEMENT) {
            Reg register = base(words, buffer, variable);
            return new Address(
                register,
                (Reg) Objects.requireNonNull(body.variables.get(counter)),
                (int) (elements * size),
                (int) moved);
          }
        }
        PrimExpr first =
            Substitution.in(
                rest, Map.of(counter, Objects.requireNonNull(scopes.get(loop - 1).start)));
        if (home(first) < loop) {
          Reg pointer = pointer(words, buffer, rest, first, step, loop);
          return Address.of(pointer, (int) displacement);
        }
      }
    }
    return Address.of(base(words, buffer, rest), (int) displacement);
  }

  private static boolean isScale(long bytes) {
    return bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8;
  }

  /** The innermost loop whose counter an index depends on directly; -1 if there is none. */
  private int loopOf(PrimExpr index) {
    for (int i = at; i >= 0; i--) {
      Scope scope = scopes.get(i);
      if (scope.kind == Scope.Kind.BODY
          && scope.counter != null
          && Affine.uses(index, scope.counter)) {
        return i;
      }
    }
    return -1;
  }

  /** By how much an index grows with a counter, if that is the same in all iterations. */
  private @Nullable PrimExpr step(PrimExpr index, Var counter) {
    OptionalLong constant = Affine.step(index, counter);
    if (constant.isPresent()) {
      return IntImm.of(constant.getAsLong());
    }
    if (Dependences.reads(index)) {
      return null;
    }
    PrimExpr next = Substitution.in(index, Map.of(counter, Exprs.add(counter, 1)));
    PrimExpr step = analyzer.simplify(Exprs.sub(next, index));
    return Affine.uses(step, counter) || varies(step) ? null : step;
  }

  /** The address of an element, computed in the outermost scope that it can be computed in. */
  private Reg base(Words words, Buffer buffer, PrimExpr index) {
    int home = home(index);
    Scope scope = scopes.get(home);
    BaseKey key = new BaseKey(buffer, index);
    Reg known = scope.addresses.get(key);
    if (known != null) {
      return known;
    }
    Reg address =
        at(
            home,
            () -> {
              Operand offset =
                  writer.multiplyWords(words.of(index), new Imm(buffer.dtype().elementByteSize()));
              return writer.inRegister(writer.addWords(start(buffer), offset));
            });
    if (!Dependences.reads(index)) {
      scope.addresses.put(key, address);
    }
    return address;
  }

  /**
   * A pointer that moves with a loop.
   *
   * @param first the index in the first iteration, which is known in front of the loop
   */
  private Reg pointer(
      Words words, Buffer buffer, PrimExpr index, PrimExpr first, PrimExpr step, int loop) {
    Scope body = scopes.get(loop);
    PointerKey key = new PointerKey(buffer, index);
    Reg known = body.addresses.get(key);
    if (known != null) {
      return known;
    }
    int size = buffer.dtype().elementByteSize();
    Reg pointer =
        at(
            loop - 1,
            () -> {
              Operand offset = writer.multiplyWords(words.of(first), new Imm(size));
              // A register of its own, since it moves.
              Reg moving = writer.reg(Type.WORD);
              writer.set(moving, Op.MOVE, writer.addWords(start(buffer), offset));
              return moving;
            });
    Operand bytes =
        at(loop - 1, () -> writer.multiplyWords(words.of(step), new Imm(size * body.step)));
    body.addresses.put(key, pointer);
    body.pointers.add(new Scope.Pointer(pointer, bytes));
    return pointer;
  }

  /** What is left of a sum without its constants, which are added to {@code constant[0]}. */
  static PrimExpr withoutConstant(PrimExpr expr, long[] constant) {
    return switch (expr) {
      case IntImm(DType dtype, long value) when value != 0 -> {
        constant[0] += value;
        yield IntImm.of(0);
      }
      case Binary(BinaryOp op, PrimExpr a, IntImm(DType dtype, long value))
          when op == BinaryOp.ADD -> {
        constant[0] += value;
        yield withoutConstant(a, constant);
      }
      case Binary(BinaryOp op, PrimExpr a, IntImm(DType dtype, long value))
          when op == BinaryOp.SUB -> {
        constant[0] -= value;
        yield withoutConstant(a, constant);
      }
      case Binary(BinaryOp op, PrimExpr a, PrimExpr b) when op == BinaryOp.ADD -> {
        PrimExpr left = withoutConstant(a, constant);
        yield left.equals(a) ? expr : Exprs.add(left, b);
      }
      default -> expr;
    };
  }

  // ---- failures ---------------------------------------------------------------------------------

  /** Ends the fragment where an index is outside of its extent. */
  void check(Words words, List<IndexCheck> checks) {
    for (IndexCheck check : checks) {
      failures.add(new Failure.OutOfBounds(check.what()));
      Operand index = words.of(check.index());
      Operand extent = words.of(check.extent());
      writer.add(
          new Lir.FailIf(
              Relation.UGE,
              writer.inRegister(index),
              extent,
              failures.size(),
              List.of(index, extent)));
    }
  }

  /** Ends the fragment where a divisor is 0. */
  void checkDivisor(Operand divisor) {
    if (divisor instanceof Imm) {
      return;
    }
    if (divisionByZero == 0) {
      failures.add(new Failure.DivisionByZero());
      divisionByZero = failures.size();
    }
    writer.add(new Lir.FailIf(Relation.EQ, divisor, new Imm(0), divisionByZero, List.of()));
  }
}
