package org.relaxvm.backendtestkit.corpus;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.text.TirText;

/** Kernels written as text, for what operators do not have. */
final class WrittenCases {
  private static final String FILE = "written.tir";
  private static final List<Long> SIZES = List.of(0L, 1L, 3L, 17L, 33L);
  private static final Tolerance SUMS =
      new Tolerance(1e-5, 1, "functions of devices differ in their last bits");

  private WrittenCases() {}

  static void addTo(CaseList list) {
    for (PrimFunc function : TirText.parse(text(), FILE)) {
      list.add(
          new KernelCase(
              function.name(),
              function,
              bindings(function.name()),
              Map.of(
                  "P0", new Fill.Indices(IntImm.of(4), false),
                  "P", new Fill.Reals(-2, 2)),
              SUMS,
              Optional.empty()));
    }
  }

  /** Extents n and m, of which the kernels may have none, and whatever else they name. */
  private static List<Map<String, Long>> bindings(String name) {
    List<Map<String, Long>> bindings = new ArrayList<>();
    for (long n : name.endsWith("_4") ? List.of(4L) : SIZES) {
      bindings.add(Map.of("n", n, "m", 5L, "s", 3L, "o", 2L, "k", n / 2));
    }
    return bindings;
  }

  private static String text() {
    try (InputStream in = WrittenCases.class.getResourceAsStream(FILE)) {
      if (in == null) {
        throw new IllegalStateException(FILE + " is not beside " + WrittenCases.class);
      }
      return new String(in.readAllBytes(), UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
