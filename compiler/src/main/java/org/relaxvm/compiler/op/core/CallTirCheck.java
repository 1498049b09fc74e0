package org.relaxvm.compiler.op.core;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.relaxvm.api.DType;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.GlobalVar;
import org.relaxvm.compiler.ir.KernelFunction;
import org.relaxvm.compiler.ir.ModuleFunction;
import org.relaxvm.compiler.ir.Tuple;
import org.relaxvm.compiler.op.OpCall;
import org.relaxvm.compiler.type.PrimType;
import org.relaxvm.compiler.type.ShapeType;
import org.relaxvm.compiler.type.TensorType;
import org.relaxvm.compiler.type.TupleType;
import org.relaxvm.compiler.type.Type;
import org.relaxvm.compiler.typing.BaseCheck;
import org.relaxvm.compiler.typing.CallDerivation;
import org.relaxvm.compiler.typing.Fit;
import org.relaxvm.tir.expr.Count;

/** Compares calls of kernels with what the kernels take. Source: Relax IR, section 6.3. */
final class CallTirCheck {
  private CallTirCheck() {}

  static void validate(OpCall call) {
    check(call, outputs(call.call().type()).stream().map(type -> -1L).toList());
  }

  static void validateInPlace(OpCall call) {
    List<Long> indices = call.attrs().integers("inplace_indices").orElseThrow();
    List<TensorType> outputs = outputs(call.call().type());
    int inputs = ((TupleType) call.type(1)).fields().size();
    if (indices.size() != outputs.size()) {
      throw call.error(
          "inplace_indices must have an index for each of "
              + Count.of(outputs.size(), "output", "outputs")
              + ", but has "
              + indices.size());
    }
    Set<Long> seen = new HashSet<>();
    for (int i = 0; i < indices.size(); i++) {
      long index = indices.get(i);
      if (index < -1 || index >= inputs) {
        throw call.error(
            "the index "
                + index
                + " in inplace_indices is none of "
                + Count.arguments(inputs)
                + "; expected one from 0, or -1 for an output with memory of its own");
      }
      if (index >= 0 && !seen.add(index)) {
        throw call.error("the index " + index + " is in inplace_indices twice");
      }
      if (index >= 0) {
        requireSame(call, (int) index, outputs.get(i));
      }
    }
    if (seen.isEmpty()) {
      throw call.error(
          "inplace_indices has only -1, so that no output lies where an input does; use call_tir");
    }
    check(call, indices);
  }

  private static void requireSame(OpCall call, int index, TensorType output) {
    Type input = ((TupleType) call.type(1)).fields().get(index);
    if (new BaseCheck(call.analyzer()).check(output, input) != Fit.PASS) {
      throw call.typeError(
          "the output "
              + output
              + " cannot lie where argument "
              + index
              + " does, which is "
              + input
              + "; expected the same shape and dtype");
    }
  }

  private static List<TensorType> outputs(Type type) {
    return switch (type) {
      case TensorType tensor -> List.of(tensor);
      case TupleType(var fields) ->
          fields.stream().flatMap(field -> outputs(field).stream()).toList();
      default -> List.of();
    };
  }

  private static void check(OpCall call, List<Long> inPlace) {
    if (!(call.arg(0) instanceof GlobalVar name)
        || !(call.context().find(name).orElse(null) instanceof KernelFunction function)) {
      if (call.arg(0) instanceof GlobalVar name) {
        ModuleFunction found = call.context().find(name).orElse(null);
        throw call.typeError(
            found == null
                ? "the module has no kernel " + name.name()
                : "the function " + name.name() + " is no kernel");
      }
      throw call.typeError("the function must be a kernel of the module, but is " + call.arg(0));
    }
    List<Type> params = function.functionType().params().orElseThrow();
    List<Type> args = new ArrayList<>();
    if (call.arg(1) instanceof Tuple(List<Expr> fields)) {
      fields.forEach(field -> args.add(field.type()));
    }
    List<TensorType> outputs = outputs(call.call().type());
    for (int i = 0; i < outputs.size(); i++) {
      if (inPlace.get(i) < 0) {
        args.add(outputs.get(i));
      }
    }
    if (call.size() > 2 && call.type(2) instanceof ShapeType sizes) {
      for (int i = 0; i < sizes.ndim(); i++) {
        args.add(new PrimType(DType.INT64));
      }
    }
    new CallDerivation(call.analyzer()).match(name.name(), params, args);
  }
}
