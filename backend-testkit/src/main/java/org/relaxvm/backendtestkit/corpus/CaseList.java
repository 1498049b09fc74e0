package org.relaxvm.backendtestkit.corpus;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.relaxvm.api.DType;

/** Collects cases: each operator for each dtype with symbolic extents, and with constant ones. */
final class CaseList {
  static final List<DType> FLOATS =
      List.of(DType.FLOAT32, DType.FLOAT64, DType.FLOAT16, DType.BFLOAT16);
  static final List<DType> INTEGERS =
      List.of(
          DType.INT8,
          DType.INT16,
          DType.INT32,
          DType.INT64,
          DType.UINT8,
          DType.UINT16,
          DType.UINT32,
          DType.UINT64);
  static final List<DType> BOOL = List.of(DType.BOOL);
  static final List<DType> FLOATS8 = List.of(DType.FLOAT8_E4M3FN, DType.FLOAT8_E5M2);
  static final List<DType> NUMBERS = joined(FLOATS, INTEGERS);
  static final List<DType> ALL = joined(NUMBERS, BOOL);

  private final List<KernelCase> cases = new ArrayList<>();

  /** Makes a case of an operator for a dtype. */
  interface Maker {
    KernelCase make(CaseBuilder c, DType dtype);
  }

  /** Adds an operator. */
  void add(String op, List<DType> dtypes, Maker maker) {
    for (DType dtype : dtypes) {
      String name = op + "_" + dtype;
      cases.add(maker.make(new CaseBuilder(name + "_dynamic", true), dtype));
      // Constant extents are the same for all dtypes, but narrow floats have stages of their own.
      if (dtype.equals(dtypes.getFirst()) || dtype.equals(DType.FLOAT16)) {
        cases.add(maker.make(new CaseBuilder(name + "_static", false), dtype));
      }
    }
  }

  void add(KernelCase kernel) {
    cases.add(kernel);
  }

  List<KernelCase> cases() {
    return List.copyOf(cases);
  }

  static List<DType> joined(List<DType> a, List<DType> b) {
    return Stream.concat(a.stream(), b.stream()).toList();
  }
}
