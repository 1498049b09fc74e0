package com.example.metering.kernels;

import org.jspecify.annotations.Nullable;
import org.relaxvm.api.Shape;
import org.relaxvm.api.kernels.Activation;

/**
 * {@code relaxvm.conv2d(data, weight, bias, strides, padding, dilation, groups, activation, out)}.
 */
final class Conv2d {
  private Conv2d() {}

  static long run(KernelCall call) {
    Floats data = call.floats("data");
    Floats weight = call.floats("weight");
    call.require(data.rank() == 4, "data", "a tensor [n, c, h, w]", data.shape());
    call.require(weight.rank() == 4, "weight", "a tensor [o, c, kh, kw]", weight.shape());
    long channels = data.dim(1);
    long outputs = weight.dim(0);
    long groups = call.integer("groups");
    call.require(
        groups >= 1 && channels % groups == 0 && outputs % groups == 0,
        "groups",
        "a positive divisor of " + channels + " and " + outputs,
        groups);
    long depth = channels / groups;
    long[] size = {weight.dim(2), weight.dim(3)};
    call.require(
        weight.dim(1) == depth && size[0] > 0 && size[1] > 0,
        "weight",
        "a tensor [o, " + depth + ", kh, kw]",
        weight.shape());
    Window window = Window.of(call, data, size, false);
    @Nullable Floats bias = call.floatsOrNull("bias");
    if (bias != null) {
      call.require(
          bias.shape().equals(Shape.of(outputs)),
          "bias",
          "a tensor [" + outputs + "]",
          bias.shape());
    }
    Activation activation = call.activation();
    long height = window.extent(0);
    long width = window.extent(1);
    Floats out = call.out(Shape.of(data.dim(0), outputs, height, width));
    long products = 0;
    for (long i = 0; i < out.count(); i++) {
      long output = i / (height * width) % outputs;
      long image = i / (height * width * outputs) * channels + output / (outputs / groups) * depth;
      float sum = 0;
      for (long ky = 0; ky < size[0]; ky++) {
        for (long kx = 0; kx < size[1]; kx++) {
          long y = window.inImage(0, i / width % height, ky);
          long x = window.inImage(1, i % width, kx);
          if (y < 0 || x < 0) {
            continue;
          }
          for (long c = 0; c < depth; c++) {
            long pixel = ((image + c) * data.dim(2) + y) * data.dim(3) + x;
            sum +=
                data.get(pixel) * weight.get(((output * depth + c) * size[0] + ky) * size[1] + kx);
          }
          products += depth;
        }
      }
      out.set(i, Epilogue.apply(activation, bias == null ? sum : sum + bias.get(output)));
    }
    return 2 * products + out.count() * Epilogue.operations(activation, bias != null);
  }
}
