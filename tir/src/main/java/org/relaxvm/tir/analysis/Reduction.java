package org.relaxvm.tir.analysis;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.relaxvm.api.DType;
import org.relaxvm.tir.expr.Binary;
import org.relaxvm.tir.expr.BinaryOp;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.BufferLoad;
import org.relaxvm.tir.expr.Call;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.Intrinsic;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Reducer;
import org.relaxvm.tir.expr.Select;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.rewrite.Substitution;
import org.relaxvm.tir.stmt.Block;
import org.relaxvm.tir.stmt.BufferStore;
import org.relaxvm.tir.stmt.Let;
import org.relaxvm.tir.stmt.Seq;
import org.relaxvm.tir.stmt.Stmt;

/**
 * What a block that updates its outputs does, as far as it is known to be associative.
 *
 * @param buffers that are updated
 * @param indices of the element of each
 * @param elements the next value of each
 * @param ops what puts each value so far and the next one together, unless there is a choice
 * @param choice whether the values of one iteration are chosen together, of which those of the
 *     first iteration count when several are as good: then iterations must stay in order
 */
public record Reduction(
    List<Buffer> buffers,
    List<PrimExpr> indices,
    List<PrimExpr> elements,
    List<BinaryOp> ops,
    Optional<Choice> choice) {
  /**
   * A choice between the values so far and the next ones by one of them.
   *
   * @param key the number of the value that is compared
   * @param comparison of the value so far and the next one
   * @param keeps whether it says that the values so far are kept
   */
  public record Choice(int key, BinaryOp comparison, boolean keeps) {
    /** Whether the largest value is chosen. */
    public boolean ofLargest() {
      return keeps == (comparison == BinaryOp.GE || comparison == BinaryOp.GT);
    }
  }

  /** Copies the lists. */
  public Reduction {
    buffers = List.copyOf(buffers);
    indices = List.copyOf(indices);
    elements = List.copyOf(elements);
    ops = List.copyOf(ops);
  }

  /** The reduction of a block; nothing when it is none that is known. */
  public static Optional<Reduction> of(Block block) {
    if (!block.allocBuffers().isEmpty()) {
      return Optional.empty();
    }
    return new Parser().parse(block.body());
  }

  /** The values so far, and the next ones, put together. */
  public List<PrimExpr> combine(List<PrimExpr> sofar, List<PrimExpr> next) {
    List<PrimExpr> values = new ArrayList<>();
    for (int i = 0; i < sofar.size(); i++) {
      values.add(
          choice.isPresent()
              ? choose(choice.get(), sofar, next, i)
              : new Binary(ops.get(i), sofar.get(i), next.get(i)));
    }
    return values;
  }

  private static PrimExpr choose(
      Choice choice, List<PrimExpr> sofar, List<PrimExpr> next, int number) {
    int key = choice.key();
    PrimExpr condition = new Binary(choice.comparison(), sofar.get(key), next.get(key));
    return choice.keeps()
        ? new Select(condition, sofar.get(number), next.get(number))
        : new Select(condition, next.get(number), sofar.get(number));
  }

  /**
   * Values to start with that change nothing; of a choice those that are not compared never count.
   */
  public List<PrimExpr> identity() {
    List<PrimExpr> values = new ArrayList<>();
    for (int i = 0; i < buffers.size(); i++) {
      DType dtype = buffers.get(i).dtype();
      if (choice.isEmpty()) {
        values.add(identity(ops.get(i), dtype));
      } else if (choice.get().key() == i) {
        values.add(choice.get().ofLargest() ? Reducer.lowest(dtype) : Reducer.highest(dtype));
      } else {
        values.add(dtype.equals(DType.BOOL) ? IntImm.of(false) : Exprs.constant(dtype, 0));
      }
    }
    return values;
  }

  /**
   * The values before the first iteration: those of the block's initialization, else those that the
   * outputs have.
   *
   * @param outputs the elements that are updated, in terms of the loop variables
   * @param atPoint replaces the axes of the block by expressions of the loop variables
   * @return empty when the initialization depends on memory or writes other elements
   */
  public Optional<List<PrimExpr>> start(Block block, List<PrimExpr> outputs, Substitution atPoint) {
    if (block.init().isEmpty()) {
      return Optional.of(outputs);
    }
    Map<Buffer, PrimExpr> initial = new IdentityHashMap<>();
    Stmt init = block.init().get();
    for (Stmt each : init instanceof Seq seq ? seq.statements() : List.of(init)) {
      if (!(each instanceof BufferStore store)
          || !store.indices().equals(indices)
          || !Operations.isFreeOfLoads(store.value())) {
        return Optional.empty();
      }
      initial.put(store.buffer(), atPoint.rewrite(store.value()));
    }
    return initial.keySet().containsAll(buffers)
        ? Optional.of(buffers.stream().<PrimExpr>map(initial::get).toList())
        : Optional.empty();
  }

  private static PrimExpr identity(BinaryOp op, DType dtype) {
    Reducer reducer =
        switch (op) {
          case ADD -> Reducer.SUM;
          case MUL -> Reducer.PROD;
          case MIN -> Reducer.MIN;
          case MAX -> Reducer.MAX;
          case AND -> Reducer.ALL;
          case OR -> Reducer.ANY;
          // The parser takes no others.
          default -> throw new IllegalStateException("no reduction: " + op);
        };
    return reducer.identity().apply(List.of(dtype)).getFirst();
  }

  /** Takes the body of a block apart. */
  private static final class Parser {
    private final List<PrimExpr> loads = new ArrayList<>();
    private final List<PrimExpr> values = new ArrayList<>();

    Optional<Reduction> parse(Stmt body) {
      Map<Var, PrimExpr> lets = new HashMap<>();
      Stmt stmt = body;
      while (stmt instanceof Let(Var var, PrimExpr value, Stmt inner)) {
        lets.put(var, Substitution.in(value, lets));
        stmt = inner;
      }
      List<Stmt> stores = stmt instanceof Seq seq ? seq.statements() : List.of(stmt);
      List<Buffer> buffers = new ArrayList<>();
      for (Stmt each : stores) {
        if (!(each instanceof BufferStore store)
            || buffers.contains(store.buffer())
            || (stores.size() > 1 && !lets.containsKey(store.value()))) {
          // Each value must be there before the first one is stored.
          return Optional.empty();
        }
        buffers.add(store.buffer());
        loads.add(new BufferLoad(store.buffer(), store.indices()));
        values.add(Substitution.in(store.value(), lets));
      }
      List<List<PrimExpr>> indices = loads.stream().map(PrimExpr::operands).distinct().toList();
      return indices.size() == 1 ? take(buffers, indices.getFirst()) : Optional.empty();
    }

    private Optional<Reduction> take(List<Buffer> buffers, List<PrimExpr> indices) {
      List<PrimExpr> elements = new ArrayList<>();
      List<BinaryOp> ops = new ArrayList<>();
      Optional<Choice> choice = Optional.empty();
      for (int i = 0; i < values.size(); i++) {
        PrimExpr load = loads.get(i);
        if (values.get(i) instanceof Binary binary && isReducer(binary)) {
          ops.add(binary.op());
          elements.add(binary.a().equals(load) ? binary.b() : binary.a());
          if (!binary.a().equals(load) && !binary.b().equals(load)) {
            return Optional.empty();
          }
        } else if (values.get(i).operands().size() == 3) {
          List<PrimExpr> parts = values.get(i).operands();
          elements.add(parts.get(1).equals(load) ? parts.get(2) : parts.get(1));
        } else {
          return Optional.empty();
        }
      }
      if (ops.isEmpty()) {
        choice = choice(elements);
      }
      if (elements.stream().anyMatch(this::usesOutputs)
          || (choice.isEmpty() && ops.size() < values.size())) {
        return Optional.empty();
      }
      return Optional.of(new Reduction(buffers, indices, elements, ops, choice));
    }

    private static boolean isReducer(Binary binary) {
      return switch (binary.op()) {
        case ADD, MUL, MIN, MAX, AND, OR -> true;
        default -> false;
      };
    }

    private boolean usesOutputs(PrimExpr expr) {
      return (expr instanceof BufferLoad load
              && loads.stream().anyMatch(l -> ((BufferLoad) l).buffer().equals(load.buffer())))
          || expr.operands().stream().anyMatch(this::usesOutputs);
    }

    /** The choice that all values are made by: of several that are as good, the first one. */
    private Optional<Choice> choice(List<PrimExpr> elements) {
      if (!(values.getFirst().operands().getFirst() instanceof Binary condition)) {
        return Optional.empty();
      }
      for (int key = 0; key < values.size(); key++) {
        PrimExpr load = loads.get(key);
        PrimExpr next = elements.get(key);
        boolean forth = condition.a().equals(load) && condition.b().equals(next);
        boolean back = condition.b().equals(load) && condition.a().equals(next);
        if (forth || back) {
          BinaryOp op = forth ? condition.op() : mirrored(condition.op());
          boolean keeps = op == BinaryOp.GE || op == BinaryOp.LE;
          Choice choice = new Choice(key, op, keeps);
          boolean known = keeps || op == BinaryOp.GT || op == BinaryOp.LT;
          return known && isMadeBy(condition, keeps, elements)
              ? Optional.of(choice)
              : Optional.empty();
        }
      }
      return Optional.empty();
    }

    private boolean isMadeBy(PrimExpr condition, boolean keeps, List<PrimExpr> elements) {
      for (int i = 0; i < values.size(); i++) {
        PrimExpr value = values.get(i);
        boolean isChoice =
            value instanceof Select
                || (value instanceof Call call && call.op() == Intrinsic.IF_THEN_ELSE);
        PrimExpr whenTrue = keeps ? loads.get(i) : elements.get(i);
        PrimExpr whenFalse = keeps ? elements.get(i) : loads.get(i);
        if (!isChoice || !value.operands().equals(List.of(condition, whenTrue, whenFalse))) {
          return false;
        }
      }
      return true;
    }

    private static BinaryOp mirrored(BinaryOp op) {
      return switch (op) {
        case GE -> BinaryOp.LE;
        case LE -> BinaryOp.GE;
        case GT -> BinaryOp.LT;
        case LT -> BinaryOp.GT;
        default -> op;
      };
    }
  }
}
