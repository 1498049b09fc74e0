package org.relaxvm.compiler.objects;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.relaxvm.api.DeviceTypeCodes;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.api.object.ObjectNode;
import org.relaxvm.api.object.ObjectTypes;
import org.relaxvm.compiler.objects.node.Cursor;
import org.relaxvm.compiler.objects.node.NodeMaker;
import org.relaxvm.compiler.type.VDevice;

/**
 * Virtual devices as objects, and back. Of a target only its kind is held: the attributes of a
 * target are options of code generators that RelaxVM does not have. Not thread-safe.
 */
final class VirtualDevices {
  private static final String KEY = "ir.VDevice";
  private static final String CPU = "cpu";

  private final NodeMaker maker;
  private final ObjectTypes types;
  private final Map<VDevice, ObjectNode> nodes = new HashMap<>();

  VirtualDevices(NodeMaker maker, ObjectTypes types) {
    this.maker = maker;
    this.types = types;
  }

  /** Reads a virtual device. */
  static VDevice read(Cursor at) {
    if (!at.require(KEY)) {
      return VDevice.of(CPU, 0);
    }
    Cursor target = at.get("target");
    String kind =
        target.require("target.Target") && target.get("kind").require("target.TargetKind")
            ? target.get("kind").get("name").text()
            : "";
    return new VDevice(kind, at.get("vdevice_id").smallInteger(), at.get("memory_scope").text());
  }

  /** The virtual device as an object: one node each. */
  ObjectNode write(VDevice device) {
    return nodes.computeIfAbsent(
        device,
        d ->
            maker.make(
                KEY,
                "target",
                target(d.target()),
                "vdevice_id",
                (long) d.id(),
                "memory_scope",
                d.memoryScope()));
  }

  /** The virtual device of a text as attributes have it: {@code cuda:0:global}. */
  ObjectNode write(String text) {
    return write(parse(text));
  }

  /**
   * The virtual device of a text.
   *
   * @throws InvalidProgramException for a text that is none
   */
  static VDevice parse(String text) {
    String[] parts = text.split(":", -1);
    try {
      return new VDevice(
          parts[0],
          parts.length > 1 ? Integer.parseInt(parts[1]) : 0,
          parts.length > 2 ? parts[2] : "global");
    } catch (NumberFormatException e) {
      throw new InvalidProgramException(
          ErrorKind.VALUE, "expected a virtual device like cuda:0:global, but got " + text, e);
    }
  }

  /**
   * Reads what {@code relax.hint_on_device} says: the number of a device's kind.
   *
   * @param known those of the module, of which one may be memory of the device
   */
  static VDevice readHint(Cursor at, List<VDevice> known) {
    int code = at.get("device_type").smallInteger();
    String kind = DeviceTypeCodes.kindOf(code).orElse("");
    if (kind.isEmpty()) {
      at.get("device_type").problem("there is no kind of device with the number " + code);
      return VDevice.of(CPU, 0);
    }
    VDevice hint = new VDevice(kind, at.get("index").smallInteger(), at.get("memory_scope").text());
    return known.stream()
        .filter(device -> device.device().kind().equals(kind))
        .filter(device -> device.id() == hint.id())
        .filter(device -> device.memoryScope().equals(hint.memoryScope()))
        .findFirst()
        .orElse(hint);
  }

  private ObjectNode target(String name) {
    String kind = name.equals(CPU) ? "llvm" : name;
    if (!types.isKnownName("target.TargetKind", kind)) {
      throw new InvalidProgramException(
          ErrorKind.VALUE,
          "Apache TVM has no target of the kind "
              + kind
              + "\n  what to do: name a virtual device of another kind, such as cuda or opencl");
    }
    return maker.make(
        "target.Target",
        "kind",
        maker.make("target.TargetKind", "name", kind),
        "tag",
        "",
        "keys",
        keys(kind),
        "attrs",
        Map.of(),
        "host",
        null);
  }

  /** The keys that targets of a kind have by default. */
  private static List<String> keys(String kind) {
    return switch (kind) {
      case "llvm", "c" -> List.of("cpu");
      case "cuda", "opencl", "vulkan", "rocm", "metal", "webgpu" -> List.of(kind, "gpu");
      default -> List.of(kind);
    };
  }
}
