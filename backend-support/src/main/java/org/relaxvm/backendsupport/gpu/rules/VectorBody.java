package org.relaxvm.backendsupport.gpu.rules;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.relaxvm.backendsupport.gpu.loops.WorkGroups;
import org.relaxvm.tir.analysis.Access;
import org.relaxvm.tir.analysis.Nest;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.BufferLoad;
import org.relaxvm.tir.expr.Call;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.Intrinsic;
import org.relaxvm.tir.expr.MemoryScope;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.rewrite.IrMutator;
import org.relaxvm.tir.rewrite.Substitution;
import org.relaxvm.tir.stmt.BufferStore;
import org.relaxvm.tir.stmt.For;
import org.relaxvm.tir.stmt.ForKind;
import org.relaxvm.tir.stmt.IfThenElse;
import org.relaxvm.tir.stmt.Let;
import org.relaxvm.tir.stmt.Seq;
import org.relaxvm.tir.stmt.Stmt;

/**
 * What a loop does, as work on some iterations at once: adjacent elements are copied into
 * registers, all iterations are computed there, and the results are copied out. Copies are loops
 * that are {@linkplain ForKind#VECTORIZED vectorized} and do nothing else.
 */
final class VectorBody {
  /** An element that iterations load or store, and under which condition all of them do. */
  private record Element(Buffer registers, PrimExpr guard) {}

  private static final PrimExpr ALWAYS = IntImm.of(true);
  private static final PrimExpr NO_ONE = IntImm.of(false);

  private final Stmt body;
  private final For loop;
  private final Map<BufferLoad, Element> loads = new LinkedHashMap<>();
  private final Map<BufferStore, Element> stores = new LinkedHashMap<>();
  private final List<Access> accesses = new ArrayList<>();
  private final List<PrimExpr> guards = new ArrayList<>();
  private final Set<Var> names = new HashSet<>();
  private boolean sound = true;

  private VectorBody(Stmt body, For loop) {
    this.body = body;
    this.loop = loop;
  }

  /**
   * What the iterations of a loop do.
   *
   * @param body without blocks, in terms of counters of loops
   * @return empty unless all that is stored is adjacent, and so is all that is loaded or it is one
   *     element for all iterations; and unless nothing is loaded that another iteration stores
   */
  static Optional<VectorBody> of(Stmt body, For loop) {
    VectorBody vector = new VectorBody(body, loop);
    vector.read(body, ALWAYS);
    return vector.sound && vector.areForAll() && vector.keepsOrder()
        ? Optional.of(vector)
        : Optional.empty();
  }

  /** Bytes of the largest elements that are copied. */
  int elementBytes() {
    int bytes = 1;
    for (Access access : accesses) {
      if (access.isContiguous(loop)) {
        bytes = Math.max(bytes, access.buffer().dtype().elementByteSize());
      }
    }
    return bytes;
  }

  /** Whether this loop in another one works on memory like one loop over both. */
  boolean isOneRun(For outer, For inner) {
    return guards.stream().noneMatch(guard -> Nest.uses(guard, outer.loopVar()))
        && accesses.stream().allMatch(access -> access.isOneRun(outer, inner));
  }

  private void read(Stmt stmt, PrimExpr guard) {
    switch (stmt) {
      case BufferStore store -> {
        read(store.value(), guard);
        store.indices().forEach(index -> read(index, guard));
        Access access = new Access(store.buffer(), store.indices(), true);
        accesses.add(access);
        Element element = new Element(registers(store.buffer()), guard);
        sound &=
            stores.put(store, element) == null
                && store.indices().stream().allMatch(this::isKnown)
                && access.isContiguous(loop);
      }
      case Seq seq -> seq.statements().forEach(each -> read(each, guard));
      case Let let -> {
        read(let.value(), guard);
        names.add(let.var());
        read(let.body(), guard);
      }
      case IfThenElse choice -> {
        read(choice.condition(), guard);
        read(choice.whenTrue(), both(guard, choice.condition()));
        choice
            .whenFalse()
            .ifPresent(other -> read(other, both(guard, Exprs.not(choice.condition()))));
      }
      default -> sound = false;
    }
  }

  private void read(PrimExpr expr, PrimExpr guard) {
    switch (expr) {
      case BufferLoad load -> readElement(load, guard);
      case Call call when call.op() == Intrinsic.IF_THEN_ELSE -> {
        PrimExpr condition = call.args().get(0);
        read(condition, guard);
        read(call.args().get(1), both(guard, condition));
        read(call.args().get(2), both(guard, Exprs.not(condition)));
      }
      default -> expr.operands().forEach(operand -> read(operand, guard));
    }
  }

  private void readElement(BufferLoad load, PrimExpr guard) {
    load.indices().forEach(index -> read(index, guard));
    Access access = new Access(load.buffer(), load.indices(), false);
    accesses.add(access);
    sound &= load.indices().stream().allMatch(this::isKnown);
    if (isUniform(load)) {
      return;
    }
    sound &= load.buffer().scope() == MemoryScope.GLOBAL && access.isContiguous(loop);
    Element before = loads.get(load);
    if (before == null) {
      loads.put(load, new Element(registers(load.buffer()), guard));
    } else if (!before.guard().equals(guard)) {
      // One of the expressions where it is read decides alone only if it is read there in any case.
      boolean always = guard.equals(ALWAYS) || before.guard().equals(ALWAYS);
      loads.put(load, new Element(before.registers(), always ? ALWAYS : NO_ONE));
    }
  }

  private PrimExpr both(PrimExpr guard, PrimExpr condition) {
    guards.add(condition);
    return Exprs.and(guard, condition);
  }

  private boolean isUniform(PrimExpr expr) {
    return !Nest.uses(expr, loop.loopVar());
  }

  /** Whether an expression has its value before the body begins. */
  private boolean isKnown(PrimExpr expr) {
    return names.stream().noneMatch(name -> Nest.uses(expr, name));
  }

  /**
   * Whether iterations store something, and all of them load and store under the same conditions.
   */
  private boolean areForAll() {
    return !stores.isEmpty()
        && Stream.concat(loads.values().stream(), stores.values().stream())
            .map(Element::guard)
            .allMatch(guard -> !guard.equals(NO_ONE) && isUniform(guard) && isKnown(guard));
  }

  /** All is loaded before anything is stored: that has to be what the iterations do, too. */
  private boolean keepsOrder() {
    Set<Buffer> stored = new HashSet<>();
    for (BufferStore store : stores.keySet()) {
      if (store.buffer().scope() != MemoryScope.GLOBAL || !stored.add(store.buffer())) {
        return false;
      }
    }
    BufferStore first = stores.keySet().iterator().next();
    return accesses.stream()
        .filter(access -> !access.writes() && stored.contains(access.buffer()))
        .allMatch(access -> stores.size() == 1 && access.indices().equals(first.indices()));
  }

  private static Buffer registers(Buffer buffer) {
    return Buffer.of(
        buffer.name() + "_v", buffer.dtype(), List.of(IntImm.of(1)), MemoryScope.LOCAL);
  }

  /**
   * Some consecutive iterations.
   *
   * @param lanes how many
   * @param at the statement at an iteration, counted from the first of these, of one in terms of
   *     counters
   */
  Stmt iterations(int lanes, Function<PrimExpr, Substitution> at) {
    Map<Buffer, Buffer> registers = new LinkedHashMap<>();
    loads.values().forEach(load -> registers.put(load.registers(), sized(load, lanes)));
    stores.values().forEach(store -> registers.put(store.registers(), sized(store, lanes)));
    List<Stmt> statements = new ArrayList<>();
    loads.forEach(
        (load, element) -> {
          Buffer copy = registers.getOrDefault(element.registers(), element.registers());
          Var lane = Var.index("lane");
          Stmt stmt = new BufferStore(copy, load, List.of(lane));
          statements.add(copied(element, lane, lanes, at.apply(lane).rewrite(stmt), at));
        });
    Var counter = Var.index("lane");
    Stmt work = at.apply(counter).rewrite(inRegisters(registers, counter));
    statements.add(For.of(ForKind.UNROLLED, counter, IntImm.of(lanes), work));
    stores.forEach(
        (store, element) -> {
          Buffer copy = registers.getOrDefault(element.registers(), element.registers());
          Var lane = Var.index("lane");
          Stmt stmt = new BufferStore(store.buffer(), copy.load(lane), store.indices());
          statements.add(copied(element, lane, lanes, at.apply(lane).rewrite(stmt), at));
        });
    return WorkGroups.memory(List.copyOf(registers.values()), new Seq(statements));
  }

  private static Buffer sized(Element element, int lanes) {
    Buffer one = element.registers();
    return Buffer.of(one.name(), one.dtype(), List.of(IntImm.of(lanes)), MemoryScope.LOCAL);
  }

  private static Stmt copied(
      Element element, Var lane, int lanes, Stmt copy, Function<PrimExpr, Substitution> at) {
    PrimExpr guard = at.apply(IntImm.of(0)).rewrite(element.guard());
    return WorkGroups.guarded(guard, For.of(ForKind.VECTORIZED, lane, IntImm.of(lanes), copy));
  }

  /** The body with registers instead of memory. */
  private Stmt inRegisters(Map<Buffer, Buffer> registers, Var lane) {
    return new IrMutator() {
      @Override
      public PrimExpr rewrite(PrimExpr expr) {
        Element element = expr instanceof BufferLoad load ? loads.get(load) : null;
        Buffer copy = element == null ? null : registers.get(element.registers());
        return copy == null ? super.rewrite(expr) : copy.load(lane);
      }

      @Override
      public Stmt rewrite(Stmt stmt) {
        Element element = stmt instanceof BufferStore store ? stores.get(store) : null;
        Buffer copy = element == null ? null : registers.get(element.registers());
        return copy != null && stmt instanceof BufferStore store
            ? new BufferStore(copy, rewrite(store.value()), List.of(lane))
            : super.rewrite(stmt);
      }
    }.rewrite(body);
  }
}
