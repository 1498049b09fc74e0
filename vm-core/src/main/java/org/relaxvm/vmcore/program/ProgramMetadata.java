package org.relaxvm.vmcore.program;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.DeviceId;
import org.relaxvm.vmcore.executable.SourceNodes;

/**
 * What a program says of itself for people and tools; the VM runs without it. Immutable.
 *
 * @param name the program's name; empty when it has none
 * @param description one or two sentences; may be empty
 * @param function the function that the inputs and outputs describe
 * @param inputs one per parameter, or empty when unknown
 * @param outputs one per result, or empty when unknown
 * @param image how an image becomes an input, if one does
 * @param labels names of the classes, in the order of the scores; empty when there are none
 * @param requiredFunctions packed functions that a caller must provide beside builtins and kernels
 * @param devices the devices that the program is placed on, in the order of their indices; the
 *     host, where it is named, is the last. Empty for a program that runs on whatever device it is
 *     given
 * @param ir the text of the module that the program was compiled from, or the listing of the
 *     program of another virtual machine that it was translated from, without constants; empty when
 *     it is not known
 * @param sourceNodes the nodes of the model that the program was imported from, by instruction
 */
public record ProgramMetadata(
    String name,
    String description,
    String function,
    List<TensorSpec> inputs,
    List<TensorSpec> outputs,
    Optional<ImageSpec> image,
    List<String> labels,
    List<String> requiredFunctions,
    List<DeviceId> devices,
    String ir,
    SourceNodes sourceNodes) {
  /** The metadata of a program that has none. */
  public static final ProgramMetadata EMPTY = builder().build();

  /** Copies the lists. */
  public ProgramMetadata {
    inputs = List.copyOf(inputs);
    outputs = List.copyOf(outputs);
    labels = List.copyOf(labels);
    requiredFunctions = List.copyOf(requiredFunctions);
    devices = List.copyOf(devices);
  }

  /** A builder without entries, for the function {@code main}. */
  public static Builder builder() {
    return new Builder();
  }

  /**
   * Reads the JSON form; fields that it does not know are ignored.
   *
   * @throws org.relaxvm.api.error.MalformedFileException when the text is no JSON or a field has
   *     the wrong type
   */
  public static ProgramMetadata fromJson(String json) {
    return MetadataJson.read(json);
  }

  /** The JSON form: the same text for equal metadata. */
  public String toJson() {
    return MetadataJson.write(this);
  }

  /** Collects metadata. Not thread-safe. */
  public static final class Builder {
    private String name = "";
    private String description = "";
    private String function = "main";
    private final List<TensorSpec> inputs = new ArrayList<>();
    private final List<TensorSpec> outputs = new ArrayList<>();
    private @Nullable ImageSpec image;
    private List<String> labels = List.of();
    private final List<String> requiredFunctions = new ArrayList<>();
    private List<DeviceId> devices = List.of();
    private String ir = "";
    private SourceNodes sourceNodes = SourceNodes.NONE;

    private Builder() {}

    /** Sets the program's name. */
    public Builder name(String value) {
      name = value;
      return this;
    }

    /** Sets the description. */
    public Builder description(String value) {
      description = value;
      return this;
    }

    /** Sets the function that inputs and outputs describe. */
    public Builder function(String value) {
      function = value;
      return this;
    }

    /** Adds the description of the next parameter. */
    public Builder input(TensorSpec spec) {
      inputs.add(spec);
      return this;
    }

    /** Adds the description of the next result. */
    public Builder output(TensorSpec spec) {
      outputs.add(spec);
      return this;
    }

    /**
     * Names the outputs that were added so far.
     *
     * @param names one per output, in order; ignored when no output was added
     * @throws IllegalArgumentException for another number of names
     */
    public Builder outputNames(List<String> names) {
      rename(outputs, names, "outputs");
      return this;
    }

    /**
     * Names the inputs that were added so far; calls by name use these names.
     *
     * @param names one per input, in order; ignored when no input was added
     * @throws IllegalArgumentException for another number of names
     */
    public Builder inputNames(List<String> names) {
      rename(inputs, names, "inputs");
      return this;
    }

    private static void rename(List<TensorSpec> specs, List<String> names, String what) {
      if (!specs.isEmpty() && specs.size() != names.size()) {
        throw new IllegalArgumentException(
            "expected " + specs.size() + " names of " + what + ", but got " + names);
      }
      for (int i = 0; i < specs.size(); i++) {
        TensorSpec spec = specs.get(i);
        specs.set(i, new TensorSpec(names.get(i), spec.dtype(), spec.shape(), spec.device()));
      }
    }

    /** Sets how an image becomes an input. */
    public Builder image(ImageSpec spec) {
      image = spec;
      return this;
    }

    /** Sets the names of the classes. */
    public Builder labels(List<String> values) {
      labels = List.copyOf(values);
      return this;
    }

    /** Adds a packed function that a caller must provide. */
    public Builder requiredFunction(String value) {
      requiredFunctions.add(value);
      return this;
    }

    /** Sets the devices that the program is placed on, in the order of their indices. */
    public Builder devices(List<DeviceId> values) {
      devices = List.copyOf(values);
      return this;
    }

    /** Sets the text of the module or listing that the program is made from. */
    public Builder ir(String value) {
      ir = value;
      return this;
    }

    /** Sets the nodes of the model that the program was imported from. */
    public Builder sourceNodes(SourceNodes values) {
      sourceNodes = values;
      return this;
    }

    /** The metadata collected so far. */
    public ProgramMetadata build() {
      return new ProgramMetadata(
          name,
          description,
          function,
          inputs,
          outputs,
          Optional.ofNullable(image),
          labels,
          requiredFunctions,
          devices,
          ir,
          sourceNodes);
    }
  }
}
