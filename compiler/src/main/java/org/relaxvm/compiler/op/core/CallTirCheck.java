package org.relaxvm.compiler.op.core;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.relaxvm.api.DType;
import org.relaxvm.compiler.ir.GlobalVar;
import org.relaxvm.compiler.ir.KernelFunction;
import org.relaxvm.compiler.ir.ModuleFunction;
import org.relaxvm.compiler.op.OpCall;
import org.relaxvm.compiler.type.PrimType;
import org.relaxvm.compiler.type.ShapeType;
import org.relaxvm.compiler.type.TupleType;
import org.relaxvm.compiler.type.Type;
import org.relaxvm.compiler.type.check.BaseCheck;
import org.relaxvm.compiler.type.check.CallDerivation;
import org.relaxvm.compiler.type.check.Fit;

/**
 * Compares calls of kernels with what the kernels take. Source: docs/spec/relax-ir.md, section 6.3.
 */
final class CallTirCheck {
  private CallTirCheck() {}

  static void validate(OpCall call) {
    check(call, outputs(call.call().type()).stream().map(type -> -1L).toList());
  }

  static void validateInPlace(OpCall call) {
    List<Type> inputs = ((TupleType) call.type(1)).fields();
    check(call, InPlace.check(call, inputs, outputs(call.call().type())));
  }

  /** The tensors of a result, in order. */
  private static List<Type> outputs(Type type) {
    return type instanceof TupleType(var fields)
        ? fields.stream().flatMap(field -> outputs(field).stream()).toList()
        : List.of(type);
  }

  private static void check(OpCall call, List<Long> inPlace) {
    GlobalVar name = kernelName(call);
    List<Type> params = kernel(call, name).functionType().params().orElseThrow();
    List<Type> args = new ArrayList<>(((TupleType) call.type(1)).fields());
    int firstOutput = args.size();
    List<Type> outputs = outputs(call.call().type());
    for (int i = 0; i < outputs.size(); i++) {
      if (inPlace.get(i) < 0) {
        args.add(outputs.get(i));
      }
    }
    int endOfOutputs = args.size();
    if (call.size() > 2 && call.type(2) instanceof ShapeType sizes) {
      args.addAll(Collections.nCopies(Math.max(0, sizes.ndim()), new PrimType(DType.INT64)));
    }
    CallDerivation derivation = new CallDerivation(call.analyzer());
    derivation.match(name.name(), params, args);
    for (int i = firstOutput; i < endOfOutputs; i++) {
      requireOutput(call, name, derivation.apply(params.get(i)), args.get(i));
    }
  }

  private static void requireOutput(OpCall call, GlobalVar name, Type written, Type said) {
    if (new BaseCheck(call.analyzer()).check(said, written) == Fit.IMPOSSIBLE) {
      throw call.typeError(
          name.name() + " writes " + written + ", which cannot be the output " + said);
    }
  }

  private static GlobalVar kernelName(OpCall call) {
    if (call.arg(0) instanceof GlobalVar name) {
      return name;
    }
    throw call.typeError("the function must be a kernel of the module, but is " + call.arg(0));
  }

  private static KernelFunction kernel(OpCall call, GlobalVar name) {
    Optional<ModuleFunction> found = call.context().find(name);
    if (found.orElse(null) instanceof KernelFunction kernel) {
      return kernel;
    }
    throw call.typeError(
        found.isEmpty()
            ? "the module has no kernel " + name.name()
            : "the function " + name.name() + " is no kernel");
  }
}
