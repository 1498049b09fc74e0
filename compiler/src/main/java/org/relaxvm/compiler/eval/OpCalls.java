package org.relaxvm.compiler.eval;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.compiler.builder.BlockBuilder;
import org.relaxvm.compiler.ir.Attrs;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.DataTypeImm;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.ExternFunc;
import org.relaxvm.compiler.ir.GlobalVar;
import org.relaxvm.compiler.ir.KernelFunction;
import org.relaxvm.compiler.ir.PrimValue;
import org.relaxvm.compiler.ir.RelaxFunction;
import org.relaxvm.compiler.ir.RelaxVar;
import org.relaxvm.compiler.ir.ShapeExpr;
import org.relaxvm.compiler.ir.StringImm;
import org.relaxvm.compiler.ir.Tuple;
import org.relaxvm.compiler.op.OpDef;
import org.relaxvm.compiler.pass.ScalarConvention;
import org.relaxvm.compiler.pass.fuse.LegalizeOps;
import org.relaxvm.compiler.type.PrimType;
import org.relaxvm.compiler.type.TensorType;
import org.relaxvm.compiler.type.TupleType;
import org.relaxvm.compiler.type.Type;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.expr.FloatImm;
import org.relaxvm.tir.expr.IntImm;

/**
 * One call of an operator. Calls, memory and values are done here; what computes is legalized for
 * the very arguments and run.
 */
record OpCalls(RelaxEvaluator.Body body, OpDef op, Call call) {
  private static final byte NEVER_WRITTEN = (byte) 0xA5;

  Object run() {
    return switch (op.name()) {
      case "call_tir", "call_tir_with_grad", "call_tir_inplace" -> callTir();
      case "call_dps_packed" -> callDpsPacked();
      case "call_pure_packed", "call_inplace_packed" ->
          callee()
              .call(closure(0), body.all(call.args().subList(1, call.args().size())), body.depth());
      case "vm.call_tir_dyn" -> callTirDyn();
      case "make_closure" -> {
        Closure function = closure(0);
        yield new Closure(function.function(), function.scope(), values(1));
      }
      case "invoke_closure", "invoke_pure_closure" ->
          callee().call(closure(0), values(1), body.depth());
      case "null_value", "print", "memory.kill_tensor", "memory.kill_storage", "vm.kill_object" ->
          List.of();
      case "assert_op" -> assertion();
      case "shape_of" -> tensor(0).shape();
      case "tensor_to_shape" -> Shape.of(tensor(0).toLongArray());
      case "shape_to_tensor" -> Tensor.of(shape(0).toArray(), Shape.of(shape(0).rank()));
      case "size" -> Tensor.scalar(tensor(0).elementCount());
      case "to_vdevice", "hint_on_device", "memory.ensure_zero_offset" -> tensor(0);
      case "reshape" -> reshape();
      case "memory.view" -> view();
      case "builtin.alloc_tensor" -> allocated((DType) arg(1), shape(0));
      case "memory.alloc_storage" -> allocated(DType.parse("uint8"), shape(0));
      case "memory.alloc_tensor" ->
          Tensor.view(tensor(0).storage(), (Long) arg(1), (DType) arg(3), shape(2));
      default -> legalized();
    };
  }

  private RelaxEvaluator callee() {
    return body.evaluator();
  }

  private Object arg(int index) {
    return body.of(call.args().get(index));
  }

  private Tensor tensor(int index) {
    return (Tensor) arg(index);
  }

  private Shape shape(int index) {
    return (Shape) arg(index);
  }

  private Closure closure(int index) {
    return (Closure) arg(index);
  }

  /** The values of an argument that is a tuple. */
  private List<Object> values(int index) {
    return new ArrayList<>((List<?>) arg(index));
  }

  // ---------------------------------------------------------------- kernels

  private Object callTir() {
    List<Object> args = values(1);
    List<Long> inPlace = call.attrs().integers("inplace_indices").orElse(List.of());
    // The program may not look at an argument again that is overwritten; the caller of it may.
    for (long input : inPlace) {
      if (input >= 0) {
        args.set((int) input, ((Tensor) args.get((int) input)).toHost());
      }
    }
    List<Tensor> outputs = new ArrayList<>();
    List<Object> all = new ArrayList<>(args);
    for (TensorType type : leaves(call.type())) {
      long input = inPlace.isEmpty() ? -1 : inPlace.get(outputs.size());
      if (input >= 0) {
        outputs.add((Tensor) args.get((int) input));
      } else {
        outputs.add(allocated(type));
        all.add(outputs.getLast());
      }
    }
    if (call.args().size() > 2) {
      addAll(shape(2), all);
    }
    callee().runKernel(kernel(), all);
    return shaped(call.type(), new ArrayList<>(outputs));
  }

  private Object callDpsPacked() {
    List<Object> all = values(1);
    List<Tensor> outputs = leaves(call.type()).stream().map(this::allocated).toList();
    all.addAll(outputs);
    callee().call(closure(0), all, body.depth());
    return shaped(call.type(), new ArrayList<>(outputs));
  }

  private Object callTirDyn() {
    List<Object> args = values(1);
    Shape sizes = (Shape) args.removeLast();
    addAll(sizes, args);
    return callee().runKernel(kernel(), args);
  }

  private PrimFunc kernel() {
    if (call.args().getFirst() instanceof GlobalVar name
        && callee().module().require(name) instanceof KernelFunction(PrimFunc kernel)) {
      return kernel;
    }
    throw new InvalidProgramException(
        ErrorKind.TYPE, call.args().getFirst() + " is no kernel of the module");
  }

  private static void addAll(Shape sizes, List<Object> args) {
    for (long size : sizes.toArray()) {
      args.add(size);
    }
  }

  private static List<TensorType> leaves(Type type) {
    return switch (type) {
      case TensorType tensor -> List.of(tensor);
      case TupleType(List<Type> fields) ->
          fields.stream().flatMap(field -> leaves(field).stream()).toList();
      default -> throw new InvalidProgramException(ErrorKind.TYPE, "a kernel cannot give " + type);
    };
  }

  /** Outputs in tuples as a type has them; takes them from the list. */
  private static Object shaped(Type type, List<Tensor> outputs) {
    return type instanceof TupleType(List<Type> fields)
        ? fields.stream().map(field -> shaped(field, outputs)).toList()
        : outputs.removeFirst();
  }

  // ---------------------------------------------------------------- memory and values

  private Tensor allocated(TensorType type) {
    return allocated(type.dtype().orElseThrow(), body.shape(type.dims().orElseThrow()));
  }

  private static Tensor allocated(DType dtype, Shape shape) {
    Tensor tensor = Tensor.zeros(dtype, shape);
    tensor.segment().fill(NEVER_WRITTEN);
    return tensor;
  }

  private Tensor reshape() {
    Tensor x = tensor(0);
    Shape wanted = shape(1);
    if (wanted.elementCount() != x.elementCount()) {
      throw new InvalidProgramException(
          ErrorKind.VALUE, "a tensor of the shape " + x.shape() + " cannot have " + wanted);
    }
    return x.reshape(wanted);
  }

  /** Without copying; what is an empty tuple is that of the tensor. */
  private Tensor view() {
    Tensor x = tensor(0);
    Shape wanted = arg(1) instanceof Shape given ? given : x.shape();
    DType dtype = arg(2) instanceof DType given ? given : x.dtype();
    long offset = arg(3) instanceof Long given ? given : 0;
    return x.reinterpret(wanted, dtype, offset);
  }

  private Object assertion() {
    Object condition = arg(0);
    boolean holds = condition instanceof Tensor tensor ? tensor.longAt() != 0 : (Boolean) condition;
    if (!holds) {
      throw new InvalidProgramException(ErrorKind.VALUE, "the assertion does not hold");
    }
    return List.of();
  }

  // ---------------------------------------------------------------- all else

  private Object legalized() {
    BlockBuilder builder = new BlockBuilder(callee().module());
    List<RelaxVar> params = new ArrayList<>();
    List<Object> passed = new ArrayList<>();
    List<Expr> args = new ArrayList<>();
    for (Expr arg : call.args()) {
      args.add(known(arg, params, passed));
    }
    builder.beginFunction(op.name(), params);
    builder.beginBlock(false);
    Call known = (Call) builder.normalize(Call.of(op, args, call.attrs(), call.typeArgs()));
    Expr computed =
        LegalizeOps.legalize(known, builder, ScalarConvention.INLINE)
            .orElseThrow(
                () ->
                    new InvalidProgramException(
                        ErrorKind.VALUE, "the evaluator cannot compute " + known));
    RelaxVar result = builder.emit(computed);
    builder.endBlock();
    RelaxFunction function =
        builder.endFunction(params, result, Optional.empty(), op.isPure(), Attrs.NONE);
    GlobalVar name = builder.addFunction(function, "evaluated");
    return new RelaxEvaluator(builder.module(), callee().packed()).call(name, passed, body.depth());
  }

  /** An argument of which all is known; tensors become parameters. */
  private Expr known(Expr arg, List<RelaxVar> params, List<Object> passed) {
    if (arg instanceof StringImm || arg instanceof DataTypeImm || arg instanceof ExternFunc) {
      return arg;
    }
    return known(body.of(arg), arg.type(), params, passed);
  }

  private static Expr known(Object value, Type type, List<RelaxVar> params, List<Object> passed) {
    return switch (value) {
      case Tensor tensor -> {
        Object[] dims = Arrays.stream(tensor.shape().toArray()).boxed().toArray();
        RelaxVar param = new RelaxVar("x" + params.size(), TensorType.of(tensor.dtype(), dims));
        params.add(param);
        passed.add(tensor);
        yield param;
      }
      case Shape shape -> ShapeExpr.of(Arrays.stream(shape.toArray()).boxed().toArray());
      case Boolean bool -> PrimValue.of(bool);
      case Long number -> new PrimValue(new IntImm(dtype(type, DType.INT64), number));
      case Double number -> new PrimValue(new FloatImm(dtype(type, DType.FLOAT64), number));
      case List<?> fields -> {
        List<Expr> known = new ArrayList<>();
        for (int i = 0; i < fields.size(); i++) {
          Type field = type instanceof TupleType(List<Type> types) ? types.get(i) : type;
          known.add(known(fields.get(i), field, params, passed));
        }
        yield new Tuple(known);
      }
      default ->
          throw new InvalidProgramException(
              ErrorKind.TYPE, "an operator cannot take " + value + " here");
    };
  }

  private static DType dtype(Type type, DType otherwise) {
    return type instanceof PrimType(DType dtype) ? dtype : otherwise;
  }
}
