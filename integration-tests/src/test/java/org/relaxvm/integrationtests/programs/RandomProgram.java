package org.relaxvm.integrationtests.programs;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.compiler.builder.BlockBuilder;
import org.relaxvm.compiler.builder.FunctionBuilder;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.GlobalVar;
import org.relaxvm.compiler.ir.IRModule;
import org.relaxvm.compiler.ir.RelaxFunction;
import org.relaxvm.compiler.ir.RelaxVar;
import org.relaxvm.compiler.ir.Tuple;
import org.relaxvm.compiler.op.elementwise.Comparisons;
import org.relaxvm.compiler.op.reduce.Reductions;
import org.relaxvm.compiler.type.TensorType;
import org.relaxvm.compiler.type.TupleType;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;

/**
 * A well-typed program, chosen by random numbers: {@code main} with tensors of known and symbolic
 * extents, dataflow blocks, branches, local functions, calls of another function, tuples and
 * match_casts. The same seed with more operations begins with the same ones.
 */
final class RandomProgram {
  /** What no magnitude of an argument exceeds. */
  static final int BOUND = 3;

  private static final int RUNS = 3;
  private static final int RESULTS = 6;
  private static final List<DType> DTYPES =
      List.of(
          DType.FLOAT32,
          DType.FLOAT32,
          DType.FLOAT32,
          DType.FLOAT64,
          DType.INT32,
          DType.INT64,
          DType.INT64,
          DType.INT8,
          DType.UINT8,
          DType.BOOL);

  private final long seed;
  private final SplittableRandom random;
  private final BlockBuilder builder = new BlockBuilder();
  private final Extents extents = new Extents(RUNS);
  private final Var n = Var.index("n");
  private final Var m = Var.index("m");
  private final List<Item> results = new ArrayList<>();
  private int fresh;

  /** A function that main calls: with extents k and l where main has n and m. */
  private record Helper(
      GlobalVar name, List<List<PrimExpr>> shapes, List<DType> dtypes, List<Item> results) {}

  RandomProgram(long seed, int operations) {
    this.seed = seed;
    random = new SplittableRandom(seed);
    extents.define(n, sizes());
    extents.define(m, sizes());
    List<Helper> helpers = random.nextBoolean() ? List.of(helper()) : List.of();
    builder.function("main", f -> main(f, helpers, operations));
  }

  private long[] sizes() {
    return random.longs(RUNS, 0, 6).toArray();
  }

  IRModule module() {
    return builder.module();
  }

  int runs() {
    return RUNS;
  }

  /** The tensors that main gives, in a tuple. */
  List<Item> results() {
    return results;
  }

  /** Arguments of a run; they are the same each time. */
  List<Object> args(int run) {
    SplittableRandom values = new SplittableRandom(seed + 31 * (run + 1));
    RelaxFunction main = (RelaxFunction) module().require(new GlobalVar("main"));
    List<Object> args = new ArrayList<>();
    for (RelaxVar param : main.params()) {
      TensorType type = (TensorType) param.type();
      DType dtype = type.dtype().orElseThrow();
      Shape shape =
          Shape.of(
              type.dims().orElseThrow().stream().mapToLong(dim -> extents.in(run, dim)).toArray());
      Tensor tensor = Tensor.zeros(dtype, shape);
      for (int i = 0; i < shape.elementCount(); i++) {
        boolean isTruth = dtype.equals(DType.BOOL);
        Elements.put(tensor, i, isTruth ? values.nextInt(2) : values.nextInt(2 * BOUND + 1) - BOUND);
      }
      args.add(tensor);
    }
    return args;
  }

  // ---------------------------------------------------------------- functions

  private List<PrimExpr> dims(PrimExpr first, PrimExpr second) {
    List<PrimExpr> choices =
        List.of(first, first, second, IntImm.of(1), IntImm.of(2), IntImm.of(3), IntImm.of(4));
    List<PrimExpr> dims = new ArrayList<>();
    for (int axis = random.nextInt(4); axis > 0; axis--) {
      dims.add(choices.get(random.nextInt(choices.size())));
    }
    return dims;
  }

  private DType dtype() {
    return DTYPES.get(random.nextInt(DTYPES.size()));
  }

  private Helper helper() {
    Var k = Var.index("k");
    Var l = Var.index("l");
    extents.define(k, extents.of(n));
    extents.define(l, extents.of(m));
    List<List<PrimExpr>> shapes = new ArrayList<>(List.of(List.of(k, IntImm.of(3)), List.of(l)));
    shapes.add(dims(k, l));
    List<DType> dtypes = List.of(DType.FLOAT32, dtype(), dtype());
    List<Item> given = new ArrayList<>();
    boolean isInternal = random.nextBoolean();
    GlobalVar name =
        builder.function(
            "helper",
            f -> {
              if (isInternal) {
                f.internal();
              }
              RandomBody body = new RandomBody(random, builder, extents);
              for (int i = 0; i < shapes.size(); i++) {
                body.parameter(f.param("x" + i, TensorType.of(dtypes.get(i), shapes.get(i))));
              }
              body.beginDataflow();
              for (int i = 0; i < 3; i++) {
                body.operator();
              }
              body.endDataflow();
              given.add(body.pool().getLast());
              given.add(body.any());
              return new Tuple(given.stream().map(Item::expr).toList());
            });
    return new Helper(name, shapes, dtypes, given);
  }

  private Expr main(FunctionBuilder f, List<Helper> helpers, int operations) {
    RandomBody body = new RandomBody(random, builder, extents);
    RelaxVar condition = f.param("p", TensorType.of(DType.BOOL));
    body.parameter(f.param("x", TensorType.of(DType.FLOAT32, n, 3)));
    body.parameter(f.param("y", TensorType.of(dtype(), m)));
    for (int i = 0; i < 3; i++) {
      body.parameter(f.param("z" + i, TensorType.of(dtype(), dims(n, m))));
    }
    List<Expr> passed = new ArrayList<>();
    for (Helper helper : helpers) {
      Var k = (Var) helper.shapes().get(0).getFirst();
      for (int i = 0; i < helper.shapes().size(); i++) {
        Object[] own =
            helper.shapes().get(i).stream()
                .map(dim -> dim instanceof Var var ? (var.equals(k) ? n : m) : dim)
                .toArray();
        Item item = body.parameter(f.param("a" + i, TensorType.of(helper.dtypes().get(i), own)));
        passed.add(item.expr());
      }
    }
    for (int i = 0; i < operations; i++) {
      statement(f, body, condition, helpers, passed);
    }
    if (builder.isDataflow()) {
      body.endDataflow();
    }
    List<Item> pool = body.pool();
    results.addAll(pool.subList(Math.max(0, pool.size() - RESULTS), pool.size()));
    results.add(body.any());
    return new Tuple(results.stream().map(Item::expr).toList());
  }

  // ---------------------------------------------------------------- statements

  private void statement(
      FunctionBuilder f,
      RandomBody body,
      RelaxVar condition,
      List<Helper> helpers,
      List<Expr> passed) {
    int choice = random.nextInt(24);
    if (choice < 3) {
      if (builder.isDataflow()) {
        body.endDataflow();
      } else {
        body.beginDataflow();
      }
    }
    if (choice == 4 && !helpers.isEmpty()) {
      call(f, body, helpers.getFirst(), passed);
    } else if (choice == 5) {
      cast(f, body);
    } else if (choice == 6) {
      tuple(f, body);
    } else if ((choice == 7 || choice == 8) && !builder.isDataflow()) {
      branch(f, body, condition);
    } else if (choice == 9 && !builder.isDataflow()) {
      local(f, body);
    } else {
      body.operator();
    }
  }

  private void call(FunctionBuilder f, RandomBody body, Helper helper, List<Expr> passed) {
    RelaxVar both = f.emit(Call.of(helper.name(), passed.toArray(Expr[]::new)));
    int fields = ((TupleType) both.type()).fields().size();
    for (int i = 0; i < fields; i++) {
      Item item = RandomBody.known(f.emit(f.item(both, i)), helper.results().get(i));
      if (item != null) {
        body.add(item);
      }
    }
  }

  /** Extents get symbols of their own. */
  private void cast(FunctionBuilder f, RandomBody body) {
    Item x = body.any();
    List<PrimExpr> dims = new ArrayList<>();
    for (PrimExpr dim : x.dims()) {
      if (random.nextBoolean()) {
        Var symbol = Var.index("s" + fresh++);
        extents.define(symbol, extents.of(dim));
        dims.add(symbol);
      } else {
        dims.add(dim);
      }
    }
    RelaxVar cast = f.matchCast(x.expr(), TensorType.of(x.dtype(), dims));
    body.add(Item.of(cast, x.exact(), x.bound(), x.scale()));
  }

  private void tuple(FunctionBuilder f, RandomBody body) {
    Item x = body.any();
    Item y = body.any();
    RelaxVar inner = f.emit(Tuple.of(x.expr(), y.expr()));
    RelaxVar outer = f.emit(Tuple.of(inner, x.expr()));
    Expr again = f.item(f.emit(f.item(outer, 0)), 1);
    body.add(Item.of(f.emit(again), y.exact(), y.bound(), y.scale()));
  }

  private void branch(FunctionBuilder f, RandomBody body, RelaxVar given) {
    Item asked = body.any();
    Expr condition = given;
    if (asked.exact() && !asked.isTruth() && asked.bound() < 1000) {
      condition =
          Comparisons.greater(Reductions.max(asked.expr()), body.ops().constantLike(asked));
    }
    body.add(choice(f, body, body.any(), condition, 1));
  }

  private Item choice(
      FunctionBuilder f, RandomBody body, Item x, Expr condition, int depth) {
    List<Item> ends = new ArrayList<>();
    RelaxVar chosen =
        f.choose(
            condition,
            () -> side(f, body, x, ends, condition, depth),
            () -> side(f, body, x, ends, condition, depth));
    return Item.of(
        chosen,
        ends.stream().allMatch(Item::exact),
        ends.stream().mapToDouble(Item::bound).max().orElseThrow(),
        ends.stream().mapToDouble(Item::scale).max().orElseThrow());
  }

  private Expr side(FunctionBuilder f, RandomBody body, Item x, List<Item> ends, Expr condition, int depth) {
    boolean isDataflow = random.nextInt(3) == 0;
    if (isDataflow) {
      body.beginDataflow();
    }
    Item end = body.chain(x, random.nextInt(4));
    if (!isDataflow && depth < 3 && random.nextInt(3) == 0) {
      end = choice(f, body, end, condition, depth + 1);
    }
    if (isDataflow) {
      RelaxVar seen = builder.emitOutput(end.expr());
      end = Item.of(seen, end.exact(), end.bound(), end.scale());
      body.endDataflow();
    }
    ends.add(end);
    return end.expr();
  }

  /** A local function with a tensor from around it. */
  private void local(FunctionBuilder f, RandomBody body) {
    Item x = body.any();
    List<Item> end = new ArrayList<>();
    RelaxVar inner =
        f.function(
            "inner",
            g -> {
              RelaxVar param = g.param("w", TensorType.of(x.dtype(), x.dims()));
              end.add(body.chain(Item.of(param, x.exact(), x.bound(), x.scale()), 2));
              return end.getFirst().expr();
            });
    RelaxVar called = f.emit(f.call(inner, x.expr()));
    Item item = RandomBody.known(called, end.getFirst());
    if (item != null) {
      body.add(item);
    }
  }

  @Override
  public String toString() {
    return "random program " + seed + " " + Arrays.toString(extents.of(n));
  }
}
