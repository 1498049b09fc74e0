package org.relaxvm.cli.profile;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import org.relaxvm.cli.output.TextTable;
import org.relaxvm.vmcore.executable.SourceNodes;

/**
 * A summary for people and for programs.
 *
 * @param mostKernels rows of kernels that are shown; the others are counted
 */
record ProfileReport(ProfileSummary summary, int mostKernels) {
  /** A section for each kind of figure. */
  List<String> lines() {
    List<String> lines = new ArrayList<>();
    TextTable times = new TextTable();
    summary.phases().forEach((phase, nanos) -> times.row(phase, time(nanos), remark(phase)));
    lines.addAll(times.lines(""));
    lines.add("");
    lines.addAll(kernels());
    section(lines, "Copies", "none", copies());
    section(lines, "Kernel compilation", "none", builds());
    section(lines, "Peak device memory", "none", memory());
    for (String device : summary.withoutDeviceTimes()) {
      lines.add("");
      lines.add(
          device
              + " has no timestamps: its kernels are shown with the duration of their calls, which"
              + " may return before the work is done");
    }
    return lines;
  }

  private String remark(String phase) {
    return phase.equals(Profile.RUNS) && summary.calls() > 0
        ? summary.calls()
            + (summary.calls() == 1 ? " call, " : " calls, ")
            + time(summary.callNanos() / (double) summary.calls())
            + " each"
        : "";
  }

  private static void section(List<String> lines, String title, String none, TextTable table) {
    List<String> rows = table.lines("  ");
    lines.add("");
    lines.add(rows.isEmpty() ? title + ": " + none : title);
    lines.addAll(rows);
  }

  private List<String> kernels() {
    List<ProfileSummary.KernelRow> rows = summary.kernels();
    if (rows.isEmpty()) {
      return List.of("Kernels: none");
    }
    boolean hasNodes = rows.stream().anyMatch(row -> !row.nodes().isEmpty());
    TextTable table =
        new TextTable()
            .row(
                "kernel",
                "device",
                "calls",
                "total",
                "mean",
                "share",
                "GB/s",
                "GFLOP/s",
                hasNodes ? "nodes" : "");
    for (ProfileSummary.KernelRow row : rows.subList(0, Math.min(mostKernels, rows.size()))) {
      table.row(
          row.function(),
          row.device(),
          row.calls(),
          time(row.nanos()),
          time(row.nanos() / (double) row.calls()),
          format("%.1f %%", share(row)),
          rate(row.bytes(), row.nanos()),
          rate(row.operations(), row.nanos()),
          SourceNodes.text(row.nodes()));
    }
    List<String> lines = new ArrayList<>(List.of("Kernels"));
    lines.addAll(table.lines("  "));
    if (rows.size() > mostKernels) {
      lines.add("  and " + (rows.size() - mostKernels) + " more; --top shows them");
    }
    return lines;
  }

  private double share(ProfileSummary.KernelRow row) {
    long all = summary.kernels().stream().mapToLong(ProfileSummary.KernelRow::nanos).sum();
    return all == 0 ? 0 : 100.0 * row.nanos() / all;
  }

  private TextTable copies() {
    TextTable table = new TextTable();
    for (ProfileSummary.CopyRow row : summary.copies()) {
      table.row(
          row.kind(),
          row.where(),
          row.count() + (row.count() == 1 ? " copy" : " copies"),
          format("%,d bytes", row.bytes()),
          time(row.nanos()),
          rate(OptionalLong.of(row.bytes()), row.nanos()) + " GB/s");
    }
    return table;
  }

  private TextTable builds() {
    TextTable table = new TextTable();
    for (ProfileSummary.BuildRow row : summary.builds()) {
      table.row(
          row.device(),
          row.compiled() + " compiled in " + time(row.compiledNanos()),
          row.cached() + " from the cache in " + time(row.cachedNanos()));
    }
    return table;
  }

  private TextTable memory() {
    TextTable table = new TextTable();
    summary.peakBytes().forEach((device, bytes) -> table.row(device, format("%,d bytes", bytes)));
    return table;
  }

  /** The same for programs; null stands for what is not known. */
  Map<String, Object> json() {
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("phases_ns", summary.phases());
    object.put("calls", summary.calls());
    object.put("call_ns", summary.callNanos());
    List<Object> kernels = new ArrayList<>();
    for (ProfileSummary.KernelRow row : summary.kernels()) {
      Map<String, @Nullable Object> kernel = new LinkedHashMap<>();
      kernel.put("kernel", row.function());
      kernel.put("device", row.device());
      kernel.put("calls", row.calls());
      kernel.put("ns", row.nanos());
      kernel.put("bytes", orNull(row.bytes()));
      kernel.put("operations", orNull(row.operations()));
      if (!row.nodes().isEmpty()) {
        kernel.put("nodes", row.nodes());
      }
      kernels.add(kernel);
    }
    object.put("kernels", kernels);
    List<Object> copies = new ArrayList<>();
    for (ProfileSummary.CopyRow row : summary.copies()) {
      copies.add(
          Map.of(
              "kind",
              row.kind(),
              "where",
              row.where(),
              "copies",
              row.count(),
              "bytes",
              row.bytes(),
              "ns",
              row.nanos()));
    }
    object.put("copies", copies);
    List<Object> builds = new ArrayList<>();
    for (ProfileSummary.BuildRow row : summary.builds()) {
      builds.add(
          Map.of(
              "device",
              row.device(),
              "compiled",
              row.compiled(),
              "compiled_ns",
              row.compiledNanos(),
              "cached",
              row.cached(),
              "cached_ns",
              row.cachedNanos()));
    }
    object.put("builds", builds);
    object.put("peak_bytes", summary.peakBytes());
    object.put("without_device_times", summary.withoutDeviceTimes());
    return object;
  }

  private static @Nullable Long orNull(OptionalLong value) {
    return value.isPresent() ? value.getAsLong() : null;
  }

  /** In units of 10^9 a second. */
  private static String rate(OptionalLong amount, long nanos) {
    if (amount.isEmpty() || nanos <= 0) {
      return "-";
    }
    double rate = amount.getAsLong() / (double) nanos;
    if (rate > 0 && rate < 0.001) {
      return "<0.001";
    }
    return format(rate < 1 ? "%.3f" : "%.1f", rate);
  }

  private static String time(double nanos) {
    if (nanos < 10_000) {
      return format("%.0f ns", nanos);
    }
    return nanos < 10_000_000 ? format("%.1f us", nanos / 1e3) : format("%.2f ms", nanos / 1e6);
  }

  private static String format(String pattern, Object value) {
    return String.format(Locale.ROOT, pattern, value);
  }
}
