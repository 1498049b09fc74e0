package org.relaxvm.cli.inspect;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.relaxvm.api.spi.KernelEntry;
import org.relaxvm.api.spi.LaunchTag;
import org.relaxvm.api.spi.ModuleImage;
import org.relaxvm.cli.output.Shortened;
import org.relaxvm.cli.output.TextTable;
import org.relaxvm.vmcore.executable.SourceNodes;
import org.relaxvm.vmcore.program.KernelModule;
import org.relaxvm.vmcore.program.Program;

/** Kernels that a program brings: how they are called and launched, and the nodes they compute. */
record KernelReport(Program program) {
  private static final int MOST_ROWS = 40;

  /** A section for each kind of device and format. */
  List<String> lines() {
    Map<String, List<ModuleImage>> groups = new LinkedHashMap<>();
    for (KernelModule module : program.modules()) {
      String device = module.device().isEmpty() ? "any device" : module.device();
      groups
          .computeIfAbsent(device + ", " + module.image().format(), _ -> new ArrayList<>())
          .add(module.image());
    }
    List<String> lines = new ArrayList<>();
    groups.forEach(
        (name, images) -> {
          int kernels = images.stream().mapToInt(image -> image.symbols().size()).sum();
          long bytes = images.stream().mapToLong(image -> image.bytes().byteSize()).sum();
          lines.add("");
          lines.add("Kernels for " + name + " (" + kernels + ", " + bytes + " bytes)");
          lines.addAll(Shortened.rows(table(images).lines("  "), MOST_ROWS));
        });
    return lines;
  }

  /** The nodes of the imported model that a kernel computes. */
  private List<String> nodes(String symbol) {
    return program.metadata().sourceNodes().ofCalls(program.executable(), symbol);
  }

  private TextTable table(List<ModuleImage> images) {
    TextTable table = new TextTable();
    for (ModuleImage image : images) {
      Map<String, KernelEntry> entries = entries(image);
      for (String symbol : image.symbols()) {
        KernelEntry entry = entries.get(symbol);
        if (entry == null) {
          table.row(symbol, "arguments as defined by the format", SourceNodes.text(nodes(symbol)));
        } else {
          table.row(symbol, "(" + parameters(entry) + ")", launch(entry));
        }
      }
    }
    return table;
  }

  private static Map<String, KernelEntry> entries(ModuleImage image) {
    Map<String, KernelEntry> entries = new LinkedHashMap<>();
    image.entries().forEach(entry -> entries.put(entry.name(), entry));
    return entries;
  }

  /** Such as {@code 3 x handle, int64}. */
  private static String parameters(KernelEntry entry) {
    List<String> runs = new ArrayList<>();
    int index = 0;
    while (index < entry.parameters().size()) {
      String kind = kind(entry, index);
      int end = index + 1;
      while (end < entry.parameters().size() && kind(entry, end).equals(kind)) {
        end++;
      }
      runs.add(end - index > 1 ? end - index + " x " + kind : kind);
      index = end;
    }
    return String.join(", ", runs)
        + (entry.uniformScalars() ? "; scalars in a uniform buffer" : "");
  }

  private static String kind(KernelEntry entry, int index) {
    return entry.tensorMaps().contains(index)
        ? "tensor map"
        : entry.parameters().get(index).toString();
  }

  private static String launch(KernelEntry entry) {
    return String.join(", ", entry.launchTags().stream().map(KernelReport::tag).toList());
  }

  private static String tag(LaunchTag tag) {
    return switch (tag) {
      case DYNAMIC_SHARED_MEMORY -> "dynamic shared memory";
      case PROGRAMMATIC_DEPENDENT_LAUNCH -> "may start before the kernel in front ends";
      case COOPERATIVE_LAUNCH -> "cooperative";
      default -> tag.text();
    };
  }

  /** An object for each image, with its kernels. */
  List<Object> json() {
    List<Object> images = new ArrayList<>();
    for (KernelModule module : program.modules()) {
      Map<String, KernelEntry> entries = entries(module.image());
      List<Object> kernels = new ArrayList<>();
      for (String symbol : module.image().symbols()) {
        Map<String, Object> kernel = new LinkedHashMap<>();
        kernel.put("name", symbol);
        KernelEntry entry = entries.get(symbol);
        if (entry != null) {
          kernel.put("parameters", entry.parameters().stream().map(Object::toString).toList());
          kernel.put("launch_tags", entry.launchTags().stream().map(LaunchTag::text).toList());
          kernel.put("tensor_maps", List.copyOf(entry.tensorMaps()));
          kernel.put("uniform_scalars", entry.uniformScalars());
        }
        List<String> nodes = nodes(symbol);
        if (!nodes.isEmpty()) {
          kernel.put("nodes", nodes);
        }
        kernels.add(kernel);
      }
      Map<String, Object> image = new LinkedHashMap<>();
      image.put("device", module.device());
      image.put("format", module.image().format());
      image.put("bytes", module.image().bytes().byteSize());
      image.put("kernels", kernels);
      images.add(image);
    }
    return images;
  }
}
