package org.relaxvm.compiler.pass.fuse;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.PrimValue;
import org.relaxvm.compiler.ir.ShapeExpr;
import org.relaxvm.compiler.ir.Tuple;
import org.relaxvm.compiler.ir.TupleGetItem;
import org.relaxvm.compiler.op.KernelInputs;
import org.relaxvm.compiler.type.PrimType;
import org.relaxvm.compiler.type.ShapeType;
import org.relaxvm.compiler.type.TensorType;
import org.relaxvm.compiler.type.TupleType;
import org.relaxvm.compiler.type.Type;
import org.relaxvm.compiler.type.check.Symbols;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.rewrite.Substitution;
import org.relaxvm.tir.te.KernelBuilder;
import org.relaxvm.tir.te.TensorExpr;

/** Arguments of a call as the parameters of a kernel that is being made for it. */
final class KernelArguments implements KernelInputs {
  private final KernelBuilder kernel;
  private final List<Type> results;
  private final Map<Var, Var> symbols = new LinkedHashMap<>();
  private final List<Object> inputs = new ArrayList<>();
  private final List<Expr> passed = new ArrayList<>();

  /**
   * Makes the parameters.
   *
   * @param results the types of the outputs
   */
  KernelArguments(KernelBuilder kernel, List<Expr> args, List<Type> results) {
    this.kernel = kernel;
    this.results = results;
    args.forEach(arg -> inputs.add(input(arg, arg.type())));
  }

  /** What a call of the kernel passes: one for each parameter made so far, in order. */
  List<Expr> passed() {
    return passed;
  }

  /** The variables of the program and those that stand for them in the kernel, by first use. */
  Map<Var, Var> symbols() {
    return symbols;
  }

  private Object input(Expr arg, Type type) {
    return switch (type) {
      case TensorType tensor -> {
        passed.add(arg);
        yield kernel.input(name(), tensor.dtype().orElseThrow(), dims(tensor.dims().orElseThrow()));
      }
      case ShapeType shape ->
          dims(arg instanceof ShapeExpr(var values) ? values : shape.dims().orElseThrow());
      case PrimType(var dtype) -> {
        if (arg instanceof PrimValue(PrimExpr value)) {
          yield of(value);
        }
        passed.add(arg);
        yield kernel.scalar(name(), dtype);
      }
      case TupleType(var fields) -> {
        List<Object> items = new ArrayList<>();
        for (int i = 0; i < fields.size(); i++) {
          Expr item = arg instanceof Tuple(var known) ? known.get(i) : new TupleGetItem(arg, i);
          items.add(input(item, fields.get(i)));
        }
        yield items;
      }
      default -> arg;
    };
  }

  /** The same for all kernels of one structure, so that they are one. */
  private String name() {
    int index = passed.size() - 1;
    String letter = String.valueOf((char) ('A' + index % 26));
    return index < 26 ? letter : letter + index / 26;
  }

  private List<PrimExpr> dims(List<PrimExpr> dims) {
    return dims.stream().map(this::of).toList();
  }

  @Override
  public PrimExpr of(PrimExpr expr) {
    Symbols.usedBy(expr)
        .forEach(var -> symbols.computeIfAbsent(var, unused -> new Var(var.name(), var.dtype())));
    return Substitution.in(expr, symbols);
  }

  @Override
  public TensorExpr tensor(int index) {
    return is(index, inputs.get(index), TensorExpr.class, "a tensor");
  }

  @Override
  public List<TensorExpr> tensors(int index) {
    return all(index, TensorExpr.class, "a tuple of tensors");
  }

  @Override
  public List<PrimExpr> shape(int index) {
    return all(index, PrimExpr.class, "a shape");
  }

  @Override
  public PrimExpr scalar(int index) {
    return is(index, inputs.get(index), PrimExpr.class, "a scalar");
  }

  @Override
  public List<PrimExpr> scalars(int index) {
    return all(index, PrimExpr.class, "a tuple of scalars");
  }

  @Override
  public int size() {
    return inputs.size();
  }

  @Override
  public List<PrimExpr> resultDims(int output) {
    return dims(resultType(output).dims().orElseThrow());
  }

  @Override
  public TensorType resultType(int output) {
    return (TensorType) results.get(output);
  }

  private <T> List<T> all(int index, Class<T> kind, String expected) {
    List<?> items = is(index, inputs.get(index), List.class, expected);
    return items.stream().<T>map(item -> is(index, item, kind, expected)).toList();
  }

  private static <T> T is(int index, Object input, Class<T> kind, String expected) {
    if (!kind.isInstance(input)) {
      throw new InvalidProgramException(
          ErrorKind.TYPE,
          "the kernel of the operator needs "
              + expected
              + " as argument "
              + index
              + ", but there is "
              + kindOf(input)
              + "\n  what to do: ask for arguments in the legalizer as the operator takes them");
    }
    return kind.cast(input);
  }

  private static String kindOf(Object input) {
    return switch (input) {
      case TensorExpr tensor -> "a tensor";
      case List<?> list -> "a tuple or a shape of " + list.size();
      case PrimExpr scalar -> "a scalar";
      default -> input.toString();
    };
  }
}
