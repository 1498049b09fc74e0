package org.relaxvm.backendcpu.jit.build;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.relaxvm.backendcpu.jit.lir.Lir;
import org.relaxvm.backendcpu.jit.lir.Operand;
import org.relaxvm.backendcpu.jit.lir.Operand.Reg;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;

/**
 * A list of statements that is being written, and the values that are known in it. Scopes nest; a
 * value is computed in the outermost scope that has all it depends on.
 */
final class Scope {
  /** What a scope is. */
  enum Kind {
    /** The whole fragment. */
    FRAGMENT,
    /** Runs if a condition holds. */
    CONDITION,
    /** In front of a loop, which runs at least once. */
    PREHEADER,
    /** The body of a loop. */
    BODY
  }

  /** A pointer that moves with a loop. */
  record Pointer(Reg register, Operand step) {}

  final Kind kind;
  final List<Lir> statements;

  /** Buffers that the statement of this scope writes. */
  final Set<Buffer> written;

  /** The number of the scope that was current when this one was opened. */
  int outer;

  /** What variables are. */
  final Map<Var, Operand> variables = new IdentityHashMap<>();

  /** Values of uniform expressions. */
  final Map<PrimExpr, Operand> values = new HashMap<>();

  /** Addresses and pointers. */
  final Map<Object, Reg> addresses = new HashMap<>();

  /** Values of expressions that vary, by copy. */
  final List<Map<PrimExpr, Operand>> lanes = new ArrayList<>();

  /** Uniform values in all lanes. */
  final Map<Object, Operand> splats = new HashMap<>();

  /** Of a body: the pointers that move at the end of an iteration. */
  final List<Pointer> pointers = new ArrayList<>();

  /** Of a preheader, whether its loop surely has an iteration. */
  boolean isEntered;

  /** The loop of a body or preheader. */
  @Nullable Var counter;

  /** Of a body, how much the counter grows. */
  long step;

  /** Of a preheader, a variable for what the counter starts with. */
  @Nullable Var start;

  /** The lanes that count, by copy; null for all. */
  Reg @Nullable [] masks;

  Scope(Kind kind, List<Lir> statements, Set<Buffer> written) {
    this.kind = kind;
    this.statements = statements;
    this.written = written;
  }

  /** The values of a copy. */
  Map<PrimExpr, Operand> lanes(int copy) {
    while (lanes.size() <= copy) {
      lanes.add(new HashMap<>());
    }
    return lanes.get(copy);
  }

  /** Forgets what was read from a buffer. */
  void forget(Buffer buffer) {
    values.keySet().removeIf(expr -> Dependences.reads(expr, buffer));
    lanes.forEach(copy -> copy.keySet().removeIf(expr -> Dependences.reads(expr, buffer)));
    splats
        .keySet()
        .removeIf(key -> key instanceof Splat splat && Dependences.reads(splat.expr(), buffer));
  }

  /** A uniform expression as lanes of a type. */
  record Splat(PrimExpr expr, org.relaxvm.backendcpu.jit.lir.Type type) {}
}
