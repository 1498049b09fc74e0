package org.relaxvm.tir.op.serial;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.DType;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.op.AxisLists;
import org.relaxvm.tir.op.support.Arith;
import org.relaxvm.tir.op.support.Check;
import org.relaxvm.tir.op.support.Dims;
import org.relaxvm.tir.op.support.Lines;
import org.relaxvm.tir.stmt.BufferStore;
import org.relaxvm.tir.stmt.Stmt;
import org.relaxvm.tir.te.KernelBuilder;
import org.relaxvm.tir.te.TensorExpr;

/** Attention by a state that each step updates, instead of by scores of all keys. */
public final class LinearAttentionOps {
  private static final String OP = "linear_attention";

  private LinearAttentionOps() {}

  /**
   * What linear attention reads. Floats; all but the state are of one dtype.
   *
   * @param query {@code [b, t, hq, dk]}; {@code hq} is a multiple of {@code h}
   * @param key {@code [b, t, h, dk]}
   * @param value {@code [b, t, h, dv]}
   * @param state at the start, {@code [b, h, dk, dv]}
   * @param decay logarithms of the factors of the state, {@code [b, t, h, dk]} or {@code [b, t, h,
   *     1]}; null means no decay
   * @param beta rates of the correction by what the state already holds, {@code [b, t, h]} or
   *     {@code [b, t, 1]}; null means no correction
   */
  public record Inputs(
      TensorExpr query,
      TensorExpr key,
      TensorExpr value,
      TensorExpr state,
      @Nullable TensorExpr decay,
      @Nullable TensorExpr beta) {}

  /**
   * For each step: {@code s = exp(decay) * s}; {@code u = value}, or {@code beta * (value - s^T
   * key)}; {@code s = s + key u^T}; the result is {@code scale * s^T query}. The state is kept in
   * float32, or float64 if the tensors are.
   *
   * @return {@code [b, t, hq, dv]}, and the state at the end
   */
  public static List<TensorExpr> linearAttention(
      KernelBuilder k, String name, Inputs in, double scale) {
    check(in);
    List<PrimExpr> shape = in.query.shape();
    List<PrimExpr> states = in.state.shape();
    PrimExpr heads = states.get(1);
    PrimExpr keySize = states.get(2);
    PrimExpr valueSize = states.get(3);
    DType wide = Arith.wide(in.query.dtype());
    Buffer y =
        Buffer.of(
            name, in.query.dtype(), List.of(shape.get(0), shape.get(1), shape.get(2), valueSize));
    Buffer last = Buffer.of(name + "_state", in.state.dtype(), states);
    Buffer state =
        Buffer.of(name + "_memory", wide, List.of(states.get(0), heads, valueSize, keySize));
    Buffer sum = Lines.local("sum", wide);
    Column column = new Column(in, wide, state, sum, y, scale);
    Stmt body =
        Lines.block(
            name + "_column",
            List.of(states.get(0), heads, valueSize),
            List.of(sum),
            at ->
                Lines.seq(
                    Lines.loop(
                        "d",
                        keySize,
                        d ->
                            new BufferStore(
                                state,
                                Exprs.cast(wide, in.state.at(at.get(0), at.get(1), d, at.get(2))),
                                AxisLists.joined(at, List.of(d)))),
                    Lines.loop("t", shape.get(1), t -> column.step(at, t)),
                    Lines.loop(
                        "d",
                        keySize,
                        d ->
                            new BufferStore(
                                last,
                                Exprs.cast(
                                    in.state.dtype(), state.load(AxisLists.joined(at, List.of(d)))),
                                List.of(at.get(0), at.get(1), d, at.get(2))))));
    return k.points(List.of(y, last, state), body).subList(0, 2);
  }

  /** One column of the state, which no other one depends on: {@code at} is batch, head, column. */
  private record Column(Inputs in, DType wide, Buffer state, Buffer sum, Buffer y, double scale) {
    Stmt step(List<PrimExpr> at, PrimExpr t) {
      PrimExpr b = at.get(0);
      PrimExpr h = at.get(1);
      PrimExpr m = at.get(2);
      List<Stmt> stmts = new ArrayList<>();
      TensorExpr decay = in.decay;
      if (decay != null) {
        stmts.add(
            each(
                d ->
                    new BufferStore(
                        state,
                        Exprs.mul(
                            element(at, d), Arith.exp(read(Dims.at(decay, List.of(b, t, h, d))))),
                        cell(at, d))));
      }
      PrimExpr value = read(in.value.at(b, t, h, m));
      TensorExpr beta = in.beta;
      if (beta == null) {
        stmts.add(Lines.set(sum, value));
      } else {
        stmts.add(Lines.set(sum, Arith.of(wide, 0)));
        stmts.add(each(d -> addTo(at, d, read(in.key.at(b, t, h, d)))));
        stmts.add(
            Lines.set(
                sum,
                Exprs.mul(read(Dims.at(beta, List.of(b, t, h))), Exprs.sub(value, sum.load()))));
      }
      stmts.add(
          each(
              d ->
                  new BufferStore(
                      state,
                      Exprs.add(element(at, d), Exprs.mul(read(in.key.at(b, t, h, d)), sum.load())),
                      cell(at, d))));
      stmts.add(Lines.loop("g", share(), g -> query(at, t, g)));
      return Lines.seq(stmts.toArray(Stmt[]::new));
    }

    private PrimExpr share() {
      return Dims.simplify(Exprs.floorDiv(in.query.shape().get(2), in.state.shape().get(1)));
    }

    private Stmt query(List<PrimExpr> at, PrimExpr t, PrimExpr g) {
      PrimExpr head = Exprs.add(Exprs.mul(at.get(1), share()), g);
      PrimExpr total = Exprs.mul(sum.load(), Arith.of(wide, scale));
      return Lines.seq(
          Lines.set(sum, Arith.of(wide, 0)),
          each(d -> addTo(at, d, read(in.query.at(at.get(0), t, head, d)))),
          new BufferStore(y, Exprs.cast(y.dtype(), total), List.of(at.get(0), t, head, at.get(2))));
    }

    private Stmt addTo(List<PrimExpr> at, PrimExpr d, PrimExpr factor) {
      return Lines.set(sum, Exprs.add(sum.load(), Exprs.mul(element(at, d), factor)));
    }

    private Stmt each(Function<PrimExpr, Stmt> body) {
      return Lines.loop("d", in.state.shape().get(2), body::apply);
    }

    private PrimExpr read(PrimExpr value) {
      return Exprs.cast(wide, value);
    }

    private PrimExpr element(List<PrimExpr> at, PrimExpr d) {
      return state.load(cell(at, d));
    }

    private static List<PrimExpr> cell(List<PrimExpr> at, PrimExpr d) {
      return AxisLists.joined(at, List.of(d));
    }
  }

  private static void check(Inputs in) {
    Check.floats(OP, in.query);
    Check.floats(OP, in.state);
    for (TensorExpr tensor : List.of(in.query, in.key, in.value, in.state)) {
      Check.rank(OP, tensor, 4);
    }
    Check.sameDType(OP, in.query, in.key);
    Check.sameDType(OP, in.query, in.value);
    for (int axis = 0; axis < 3; axis++) {
      Dims.requireSame(
          OP,
          in.key.shape().get(axis),
          in.value.shape().get(axis),
          "axis " + axis + " of key and value");
    }
    Dims.requireSame(OP, in.query.shape().get(0), in.key.shape().get(0), "axis 0 of query and key");
    Dims.requireSame(OP, in.query.shape().get(1), in.key.shape().get(1), "axis 1 of query and key");
    Dims.requireSame(OP, in.query.shape().get(3), in.key.shape().get(3), "axis 3 of query and key");
    List<PrimExpr> states =
        List.of(
            in.key.shape().get(0),
            in.key.shape().get(2),
            in.key.shape().get(3),
            in.value.shape().get(3));
    for (int axis = 0; axis < 4; axis++) {
      Dims.requireSame(
          OP, states.get(axis), in.state.shape().get(axis), "axis " + axis + " of the state");
    }
    if (in.decay != null) {
      Check.sameDType(OP, in.query, in.decay);
      Dims.broadcast(OP, in.key.shape(), in.decay.shape());
    }
    if (in.beta != null) {
      Check.sameDType(OP, in.query, in.beta);
      Dims.broadcast(OP, in.key.shape().subList(0, 3), in.beta.shape());
    }
  }
}
