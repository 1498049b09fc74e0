package org.relaxvm.compiler.pass.fuse;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.compiler.ir.Binding;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.GlobalVar;
import org.relaxvm.compiler.ir.IRModule;
import org.relaxvm.compiler.ir.KernelFunction;
import org.relaxvm.compiler.ir.PrimValue;
import org.relaxvm.compiler.ir.RelaxFunction;
import org.relaxvm.compiler.ir.RelaxVar;
import org.relaxvm.compiler.ir.ShapeExpr;
import org.relaxvm.compiler.ir.Tuple;
import org.relaxvm.compiler.ir.TupleGetItem;
import org.relaxvm.compiler.ir.VarBinding;
import org.relaxvm.compiler.pass.ScalarConvention;
import org.relaxvm.compiler.rewrite.FreeVars;
import org.relaxvm.compiler.type.PrimType;
import org.relaxvm.compiler.type.ShapeType;
import org.relaxvm.compiler.type.TensorType;
import org.relaxvm.compiler.type.TupleType;
import org.relaxvm.compiler.type.Type;
import org.relaxvm.compiler.type.check.Symbols;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.fuse.CallOutput;
import org.relaxvm.tir.fuse.KernelFusion;
import org.relaxvm.tir.stmt.Block;
import org.relaxvm.tir.stmt.BlockRealize;

/**
 * A group of calls as one kernel, and how it is called. Source: docs/spec/passes.md, section 6.
 *
 * @param kernel the kernel
 * @param usesParam for each parameter of the group whether the kernel has it
 * @param inPlace for each output the argument that it lies in, or -1; empty when all have memory of
 *     their own
 */
record FusedKernel(PrimFunc kernel, List<Boolean> usesParam, List<Long> inPlace) {
  /** Makes the kernel of a group. */
  static FusedKernel of(
      GlobalVar name, RelaxFunction group, IRModule module, ScalarConvention scalars) {
    try {
      return new Making(name, module, scalars).run(group);
    } catch (InvalidProgramException e) {
      e.addLocation("function " + name.name());
      throw e;
    }
  }

  /** Runs a group on buffers of the new kernel. */
  private static final class Making {
    private final IRModule module;
    private final ScalarConvention scalars;
    private final KernelFusion fusion;
    private final Map<RelaxVar, Object> values = new IdentityHashMap<>();

    /** What the tuple of arguments holds: buffers, and scalars that stand among them. */
    private final List<Object> passed = new ArrayList<>();

    private final List<Var> trailing = new ArrayList<>();

    Making(GlobalVar name, IRModule module, ScalarConvention scalars) {
      this.module = module;
      this.scalars = scalars;
      this.fusion = new KernelFusion(name.name());
    }

    FusedKernel run(RelaxFunction group) {
      Set<RelaxVar> used = FreeVars.of(group.body());
      Set<Var> said =
          Symbols.definedBy(
              group.params().stream().filter(used::contains).map(RelaxVar::type).toList());
      List<Boolean> usesParam = new ArrayList<>();
      for (RelaxVar param : group.params()) {
        // One that is not used may be the only one that says a size.
        boolean keeps = used.contains(param) || said.addAll(Symbols.definedBy(param.type()));
        usesParam.add(keeps);
        if (keeps) {
          values.put(param, param(param.name(), param.type()));
        }
      }
      group.body().bindings().forEach(this::run);
      List<Buffer> results = new ArrayList<>();
      flatten(value(group.body().body()), results);
      List<Buffer> own = results.stream().filter(result -> !fusion.isInput(result)).toList();
      List<Long> indices = results.stream().map(result -> (long) passed.indexOf(result)).toList();
      List<Long> inPlace = own.size() == results.size() ? List.of() : indices;
      return new FusedKernel(fusion.build(own, trailing), usesParam, inPlace);
    }

    private Object param(String name, Type type) {
      return switch (type) {
        case TensorType tensor -> {
          if (tensor.dtype().isEmpty() || tensor.dims().isEmpty()) {
            throw wrongParam(name, "a tensor of known shape and dtype", type);
          }
          Buffer buffer = fusion.input(name, tensor.dtype().get(), tensor.dims().get());
          passed.add(buffer);
          yield buffer;
        }
        case PrimType(var dtype) -> {
          Var scalar = fusion.scalar(name, dtype);
          passed.add(scalar);
          yield scalar;
        }
        case ShapeType shape -> sizes(name, shape);
        case TupleType(var fields) -> {
          List<Object> parts = new ArrayList<>();
          for (int i = 0; i < fields.size(); i++) {
            parts.add(param(name + "_" + i, fields.get(i)));
          }
          yield parts;
        }
        default -> throw wrongParam(name, "a tensor, a scalar, a shape or a tuple", type);
      };
    }

    private List<PrimExpr> sizes(String name, ShapeType shape) {
      List<PrimExpr> dims =
          shape.dims().orElseThrow(() -> wrongParam(name, "a shape of known extents", shape));
      for (PrimExpr dim : dims) {
        if (!(dim instanceof Var size)) {
          throw wrongParam(name, "a shape whose extents are variables", shape);
        }
        if (scalars == ScalarConvention.TRAILING) {
          trailing.add(size);
        } else {
          fusion.scalar(size);
          passed.add(size);
        }
      }
      return dims;
    }

    private static InvalidProgramException wrongParam(String name, String expected, Type type) {
      return new InvalidProgramException(
          ErrorKind.TYPE,
          "the parameter " + name + " of a group must be " + expected + ", but is " + type);
    }

    private void run(Binding binding) {
      boolean right =
          binding instanceof VarBinding
              && switch (binding.value()) {
                case Call call -> KernelCall.isOne(call);
                case TupleGetItem item -> true;
                case Tuple tuple -> true;
                case RelaxVar var -> true;
                default -> false;
              };
      if (!right) {
        throw new InvalidProgramException(
            ErrorKind.VALUE,
            "a group has calls of kernels and parts of tuples only, but also has " + binding);
      }
      values.put(binding.var(), value(binding.value()));
    }

    private Object value(Expr expr) {
      return switch (expr) {
        case RelaxVar var -> {
          Object value = values.get(var);
          if (value == null) {
            throw new InvalidProgramException(
                ErrorKind.VALUE,
                "a group uses "
                    + var
                    + ", which it does not get\n  what to do: make it a parameter");
          }
          yield value;
        }
        case Tuple(var fields) -> fields.stream().map(this::value).toList();
        case TupleGetItem(Expr tuple, int index) -> ((List<?>) value(tuple)).get(index);
        case PrimValue(PrimExpr value) -> value;
        case ShapeExpr(var dims) -> dims;
        case Call call -> call(call);
        default ->
            throw new InvalidProgramException(
                ErrorKind.VALUE,
                "a group cannot have " + expr + "\n  what to do: make it a parameter");
      };
    }

    private Object call(Call call) {
      if (!(call.args().getFirst() instanceof GlobalVar name)
          || !(module.find(name).orElse(null) instanceof KernelFunction(PrimFunc callee))) {
        throw new InvalidProgramException(
            ErrorKind.VALUE, "a group calls kernels of the module, but " + call + " does not");
      }
      List<Object> args = new ArrayList<>();
      for (Expr arg : call.args().subList(1, call.args().size())) {
        flatten(value(arg), args);
      }
      List<Buffer> tensors = only(args, Buffer.class);
      List<CallOutput> outputs = new ArrayList<>();
      List<Long> indices = call.attrs().integers("inplace_indices").orElse(List.of());
      List<TensorType> types = new ArrayList<>();
      flatten(call.type(), types);
      for (int i = 0; i < types.size(); i++) {
        long index = indices.isEmpty() ? -1 : indices.get(i);
        TensorType type = types.get(i);
        outputs.add(
            index < 0
                ? CallOutput.fresh(type.dtype().orElseThrow(), type.dims().orElseThrow())
                : CallOutput.inPlace(only(args.subList(0, (int) index), Buffer.class).size()));
      }
      List<Buffer> results =
          fusion.call(rooted(callee), tensors, only(args, PrimExpr.class), outputs);
      return shaped(call.type(), new ArrayDeque<>(results));
    }

    /** Kernels that are written without a block around all others get one. */
    private static PrimFunc rooted(PrimFunc kernel) {
      boolean hasRoot =
          kernel.body() instanceof BlockRealize realize
              && realize.block().name().equals(Block.ROOT);
      return hasRoot ? kernel : kernel.withBody(Block.root(List.of(), kernel.body()));
    }

    /** Results in tuples as a type has them. */
    private static Object shaped(Type type, Deque<Buffer> results) {
      return type instanceof TupleType(var fields)
          ? fields.stream().map(field -> shaped(field, results)).toList()
          : results.removeFirst();
    }

    private static <T> List<T> only(List<Object> values, Class<T> kind) {
      return values.stream().filter(kind::isInstance).map(kind::cast).toList();
    }

    private static void flatten(Type type, List<TensorType> types) {
      switch (type) {
        case TupleType(var fields) -> fields.forEach(field -> flatten(field, types));
        case TensorType tensor -> types.add(tensor);
        default ->
            throw new InvalidProgramException(
                ErrorKind.TYPE, "a kernel gives tensors, but " + type + " is none");
      }
    }

    @SuppressWarnings("unchecked") // lists have whatever they are asked for
    private static <T> void flatten(Object value, List<T> flat) {
      if (value instanceof List<?> parts) {
        parts.forEach(part -> flatten(part, flat));
      } else {
        flat.add((T) value);
      }
    }
  }
}
