package com.example.metering.kernels;

import org.relaxvm.api.Shape;

/** {@code relaxvm.add(a, b, out)}. */
final class Add {
  private Add() {}

  static long run(KernelCall call) {
    Floats a = call.floats("a");
    Floats b = call.floats("b");
    Shape sum = Broadcast.of(a.shape(), b.shape());
    call.require(sum != null, "b", "a tensor that broadcasts with " + a.shape(), b.shape());
    Floats out = call.out(sum);
    for (long i = 0; i < out.count(); i++) {
      float left = a.get(Broadcast.element(a.shape(), sum, i));
      float right = b.get(Broadcast.element(b.shape(), sum, i));
      out.set(i, left + right);
    }
    return out.count();
  }
}
