package org.relaxvm.interoptvm.device;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.relaxvm.api.DType;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.api.spi.KernelEntry;
import org.relaxvm.api.spi.LaunchTag;

/**
 * What a device module says of a kernel, as it is in the file: nothing is checked, so that modules
 * of other releases can be listed and written back.
 *
 * <p>Source: docs/spec/device-modules.md, section 1.1. Immutable.
 *
 * @param argTypes the dtypes of the parameters
 * @param launchTags names of launch tags, as the release that wrote them spells them
 * @param extraTags 0 for an ordinary parameter, 1 for a tensor map; empty, or one for each
 *     parameter
 */
public record KernelInfo(
    String name, List<DType> argTypes, List<String> launchTags, List<Integer> extraTags) {
  private static final int ORDINARY = 0;
  private static final int TENSOR_MAP = 1;

  /** Copies the lists. */
  public KernelInfo {
    argTypes = List.copyOf(argTypes);
    launchTags = List.copyOf(launchTags);
    extraTags = List.copyOf(extraTags);
  }

  /**
   * The kernel as backends see it.
   *
   * @param uniformScalars for SPIR-V: whether scalars lie in a uniform buffer
   * @throws InvalidProgramException when a parameter or a tag is of a kind that cannot be passed
   */
  public KernelEntry entry(boolean uniformScalars) {
    return new KernelEntry(
        name,
        argTypes,
        launchTags.stream().map(this::launchTag).toList(),
        tensorMaps(),
        uniformScalars);
  }

  private LaunchTag launchTag(String text) {
    try {
      return LaunchTag.parse(text);
    } catch (InvalidProgramException e) {
      e.addLocation("kernel " + name);
      throw e;
    }
  }

  private Set<Integer> tensorMaps() {
    if (!extraTags.isEmpty() && extraTags.size() != argTypes.size()) {
      throw new InvalidProgramException(
          ErrorKind.VALUE,
          "kernel "
              + name
              + " must have no extra tags or one for each of its "
              + argTypes.size()
              + " parameters, but has "
              + extraTags.size());
    }
    Set<Integer> maps = new HashSet<>();
    for (int i = 0; i < extraTags.size(); i++) {
      int tag = extraTags.get(i);
      if (tag == TENSOR_MAP) {
        maps.add(i);
      } else if (tag != ORDINARY) {
        throw new InvalidProgramException(
            ErrorKind.VALUE,
            "the extra tag of parameter "
                + i
                + " of kernel "
                + name
                + " must be 0 (none) or 1 (tensor map), but is "
                + tag);
      }
    }
    return maps;
  }
}
