package org.relaxvm.backendcpu;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.lang.foreign.MemorySegment;
import java.util.List;
import org.relaxvm.api.DType;
import org.relaxvm.api.spi.ModuleImage;
import org.relaxvm.backendtestkit.SampleModule;
import org.relaxvm.tir.abi.KernelText;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.FloatImm;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.te.KernelBuilder;
import org.relaxvm.tir.te.TensorExpr;
import org.relaxvm.tir.text.TirText;

/** The module that the kit asks a loader to load. */
final class NegatedKernel {
  private NegatedKernel() {}

  static SampleModule module() {
    KernelBuilder kernel = new KernelBuilder("negated");
    Var n = kernel.extent("n");
    TensorExpr x = kernel.input("X", DType.FLOAT32, List.of(n));
    String text =
        TirText.print(
            kernel.build(
                kernel.compute(
                    "out", List.of(n), i -> Exprs.mul(x.at(i), new FloatImm(DType.FLOAT32, -1)))));
    MemorySegment bytes = MemorySegment.ofArray(text.getBytes(UTF_8));
    return new SampleModule(
        new ModuleImage(KernelText.FORMAT, List.of("negated"), bytes), "negated");
  }
}
