package org.relaxvm.builtins.image;

import java.lang.foreign.ValueLayout;
import java.util.Map;
import java.util.function.BiFunction;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.CallResult;
import org.relaxvm.api.DType;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;

/** Images in files as tensors. They need the module {@code java.desktop}, which may be missing. */
public final class ImageBuiltins {
  private static final String DESKTOP = "java.desktop";

  private final BiFunction<CallArgs, Tensor, Tensor> toHost;

  /**
   * Functions without state.
   *
   * @param toHost the tensor, or a copy on the host after the work of a call so far
   */
  public ImageBuiltins(BiFunction<CallArgs, Tensor, Tensor> toHost) {
    this.toHost = toHost;
  }

  /** The functions by their names. */
  public Map<String, PackedFunc> functions() {
    return Map.of("relaxvm.host.decode_image", this::decode);
  }

  private void decode(CallArgs args, CallResult result) {
    args.requireCount("relaxvm.host.decode_image(data, format)", 2);
    Tensor data = toHost.apply(args, args.tensorAt(0));
    if (!data.dtype().equals(DType.UINT8) || data.shape().rank() != 1) {
      throw new CallException(
          ErrorKind.TYPE, "an image is a tensor of uint8 with one axis, but got " + data);
    }
    if (ModuleLayer.boot().findModule(DESKTOP).isEmpty()) {
      throw new CallException(
          ErrorKind.RUNTIME,
          "images are decoded by the module "
              + DESKTOP
              + ", which this Java runs without\n  what to do: start Java with --add-modules "
              + DESKTOP);
    }
    byte[] bytes = data.segment().asSlice(0, data.byteSize()).toArray(ValueLayout.JAVA_BYTE);
    result.set(DecodedImage.of(bytes).toTensor(PixelFormat.of(args.stringAt(1))));
  }
}
