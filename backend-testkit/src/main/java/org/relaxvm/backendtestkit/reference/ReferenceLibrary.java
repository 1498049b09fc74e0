package org.relaxvm.backendtestkit.reference;

import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.VmContext;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.kernels.KernelLibrary;
import org.relaxvm.api.kernels.KernelSignature;
import org.relaxvm.api.spi.Module;
import org.relaxvm.backendtestkit.definition.Definition;
import org.relaxvm.backendtestkit.definition.Definitions;
import org.relaxvm.backendtestkit.definition.KernelRequest;
import org.relaxvm.backendtestkit.definition.MemoryOperand;
import org.relaxvm.backendtestkit.definition.Operand;

/** Makes the kernel library from the definitions: checks now, computes when the stream does. */
final class ReferenceLibrary {
  private final ReferenceDevice device;

  ReferenceLibrary(ReferenceDevice device) {
    this.device = device;
  }

  Module module() {
    Map<String, Definition> definitions = Definitions.standard();
    Map<String, PackedFunc> functions = new HashMap<>();
    for (KernelSignature signature : KernelLibrary.standard().signatures()) {
      Definition definition = Objects.requireNonNull(definitions.get(signature.name()));
      functions.put(signature.name(), (args, result) -> run(signature, definition, args));
    }
    return Module.of("kernel library of " + device.id(), functions);
  }

  private void run(KernelSignature signature, Definition definition, CallArgs args) {
    KernelRequest request = KernelRequest.of(signature, args, tensor -> operand(signature, tensor));
    Definition.ElementFunction elements = definition.define(request);
    MemoryOperand out = (MemoryOperand) request.out();
    requireDistinctElements(signature, out);
    VmContext context = args.context();
    device.submit(context.stream(context.indexOf(device)), () -> out.setAll(elements));
  }

  private Operand operand(KernelSignature signature, Tensor tensor) {
    if (!tensor.isLive()) {
      throw new CallException(
          ErrorKind.VALUE, signature.name() + ": expected open tensors, but one is closed");
    }
    if (!tensor.device().equals(device)) {
      throw new CallException(
          ErrorKind.VALUE,
          signature.name() + ": expected tensors on " + device + ", but got " + tensor);
    }
    MemorySegment content = device.content(tensor.storage().memory());
    return MemoryOperand.of(tensor, content);
  }

  /** An output that visits an element twice has no defined content. */
  private static void requireDistinctElements(KernelSignature signature, MemoryOperand out) {
    for (int axis = 0; axis < out.strides().length; axis++) {
      if (out.strides()[axis] == 0 && out.shape().dim(axis) > 1) {
        throw new CallException(
            ErrorKind.VALUE,
            signature.name()
                + ": argument 'out' must be a tensor without repeated elements but repeats along"
                + " axis "
                + axis);
      }
    }
  }
}
