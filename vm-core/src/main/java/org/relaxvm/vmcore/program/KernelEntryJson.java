package org.relaxvm.vmcore.program;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.relaxvm.api.DType;
import org.relaxvm.api.spi.KernelEntry;
import org.relaxvm.api.spi.LaunchTag;

/** How the manifest of a package says how kernels are launched. What is empty is left out. */
final class KernelEntryJson {
  private static final String LAUNCHES = "launches";
  private static final String NAME = "name";
  private static final String PARAMETERS = "parameters";
  private static final String TAGS = "launchTags";
  private static final String TENSOR_MAPS = "tensorMaps";
  private static final String UNIFORM = "uniformScalars";

  private KernelEntryJson() {}

  static List<KernelEntry> read(JsonObject kernel) {
    List<KernelEntry> entries = new ArrayList<>();
    for (JsonObject item : kernel.objects(LAUNCHES)) {
      entries.add(
          new KernelEntry(
              item.text(NAME),
              item.texts(PARAMETERS).stream().map(DType::parse).toList(),
              item.texts(TAGS).stream().map(LaunchTag::parse).toList(),
              tensorMaps(item),
              item.flag(UNIFORM, false)));
    }
    return entries;
  }

  private static Set<Integer> tensorMaps(JsonObject item) {
    Set<Integer> maps = new LinkedHashSet<>();
    for (long index : item.integers(TENSOR_MAPS)) {
      if (index != (int) index) {
        throw item.wrong(TENSOR_MAPS, "indexes of parameters", index);
      }
      maps.add((int) index);
    }
    return maps;
  }

  static void write(List<KernelEntry> entries, Map<String, Object> kernel) {
    List<Object> items = new ArrayList<>();
    for (KernelEntry entry : entries) {
      Map<String, Object> item = JsonObject.fields();
      item.put(NAME, entry.name());
      item.put(PARAMETERS, entry.parameters().stream().map(DType::toString).toList());
      item.put(TAGS, entry.launchTags().stream().map(LaunchTag::text).toList());
      if (!entry.tensorMaps().isEmpty()) {
        item.put(TENSOR_MAPS, List.copyOf(entry.tensorMaps()));
      }
      if (entry.uniformScalars()) {
        item.put(UNIFORM, true);
      }
      items.add(item);
    }
    if (!items.isEmpty()) {
      kernel.put(LAUNCHES, items);
    }
  }
}
