package org.relaxvm.rpc.server;

import com.fasterxml.jackson.jr.ob.JSON;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.CallResult;
import org.relaxvm.api.DType;
import org.relaxvm.api.Managed;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.Tuple;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.spi.Device;
import org.relaxvm.api.spi.DeviceProperties;
import org.relaxvm.api.spi.KernelEntry;
import org.relaxvm.api.spi.LaunchTag;
import org.relaxvm.api.spi.Module;
import org.relaxvm.api.spi.ModuleImage;
import org.relaxvm.api.spi.ModuleLoader;
import org.relaxvm.rpc.wire.DeviceProtocol;
import org.relaxvm.rpc.wire.WireDevice;

/**
 * The functions with which a session offers the devices of the server to virtual machines of the
 * client: see {@link DeviceProtocol}.
 */
final class DeviceFunctions {
  private static final int MAX_ARGUMENTS = 1 << 12;

  private final SessionModules modules;
  private final ImageCache images;

  DeviceFunctions(SessionModules modules, ImageCache images) {
    this.modules = modules;
    this.images = images;
  }

  /** The functions by name. */
  Map<String, PackedFunc> all() {
    return Map.of(
        DeviceProtocol.DEVICES,
        this::devices,
        DeviceProtocol.LIBRARY_FUNCTION,
        this::libraryFunction,
        DeviceProtocol.LOAD_IMAGE,
        this::loadImage,
        DeviceProtocol.IMAGE_FUNCTIONS,
        DeviceFunctions::imageFunctions,
        DeviceProtocol.INVOKE,
        DeviceFunctions::invoke);
  }

  private static SessionDevices sessionDevices(CallArgs args) {
    return (SessionDevices) args.context();
  }

  private static Device device(CallArgs args) {
    String name = args.stringAt(0);
    SessionDevices devices = sessionDevices(args);
    return devices.devices().stream()
        .filter(device -> device.id().toString().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new CallException(
                    ErrorKind.VALUE,
                    "this server does not offer "
                        + name
                        + "; it offers "
                        + devices.devices()
                        + "\n  what to do: start it with --devices "
                        + name));
  }

  private void devices(CallArgs args, CallResult result) {
    SessionDevices devices = sessionDevices(args);
    List<Map<String, Object>> described = new ArrayList<>();
    for (Device device : devices.devices()) {
      described.add(describe(device, devices.wireDevice(device)));
    }
    result.set(json(described));
  }

  private static Map<String, Object> describe(Device device, WireDevice wire) {
    DeviceProperties properties = device.properties();
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put(DeviceProtocol.NAME, device.id().toString());
    fields.put(DeviceProtocol.TYPE, wire.type());
    fields.put(DeviceProtocol.ID, wire.id());
    fields.put(DeviceProtocol.HOST, device.isHost());
    fields.put(DeviceProtocol.DESCRIPTION, properties.name());
    fields.put(DeviceProtocol.MEMORY_BYTES, properties.totalMemoryBytes());
    fields.put(DeviceProtocol.ALIGNMENT, properties.minAlignment());
    fields.put(DeviceProtocol.ALLOCATION_BYTES, properties.maxAllocationBytes());
    fields.put(DeviceProtocol.DETAILS, properties.details());
    Set<String> formats = device instanceof ModuleLoader loader ? loader.formats() : Set.of();
    fields.put(DeviceProtocol.FORMATS, List.copyOf(formats));
    Set<String> library = new LinkedHashSet<>();
    device.library().withImports().forEach(module -> library.addAll(module.functionNames()));
    fields.put(DeviceProtocol.LIBRARY, List.copyOf(library));
    return fields;
  }

  private static String json(Object value) {
    try {
      return JSON.std.asString(value);
    } catch (IOException e) {
      throw new IllegalStateException("text of plain values", e);
    }
  }

  private void libraryFunction(CallArgs args, CallResult result) {
    result.set(device(args).library().findWithImports(args.stringAt(1)).orElse(null));
  }

  private void loadImage(CallArgs args, CallResult result) {
    Device device = device(args);
    String digest = args.stringAt(1);
    byte[] bytes;
    if (args.count() > 3 && args.at(3) instanceof byte[] sent) {
      bytes = sent;
    } else {
      bytes = images.find(digest).orElse(null);
      if (bytes == null) {
        result.setNull();
        return;
      }
    }
    if (!(device instanceof ModuleLoader loader)) {
      throw new CallException(ErrorKind.VALUE, device + " takes no kernels");
    }
    if (!modules.settings().allowNative() && isNative(args.stringAt(2))) {
      throw new CallException(
          ErrorKind.VALUE,
          "this server takes no machine code of clients, but the image is none of the form 'tir'\n"
              + "  what to do: start it with --allow-native, or send kernels in the form 'tir'");
    }
    if (args.count() > 3 && args.at(3) != null) {
      images.put(digest, bytes);
    }
    Module module = loader.loadModule(image(args.stringAt(2), bytes));
    modules.add(module);
    result.set(module);
  }

  /** What a device runs as it is, unchecked; {@code tir} is verified. */
  private static boolean isNative(String header) {
    return !fields(header).getOrDefault(DeviceProtocol.FORMAT, "").equals("tir");
  }

  private static Map<String, Object> fields(String json) {
    try {
      return JSON.std.mapFrom(json);
    } catch (IOException e) {
      throw malformed(json);
    }
  }

  private static ModuleImage image(String header, byte[] bytes) {
    Map<String, Object> fields = fields(header);
    List<KernelEntry> entries = new ArrayList<>();
    for (Object entry : list(fields, DeviceProtocol.ENTRIES, header)) {
      if (!(entry instanceof Map<?, ?> described)) {
        throw malformed(header);
      }
      entries.add(entry(described, header));
    }
    return new ModuleImage(
        String.valueOf(fields.get(DeviceProtocol.FORMAT)),
        texts(fields, DeviceProtocol.SYMBOLS, header),
        MemorySegment.ofArray(bytes),
        entries);
  }

  private static KernelEntry entry(Map<?, ?> fields, String header) {
    Set<Integer> maps = new LinkedHashSet<>();
    for (Object index : list(fields, DeviceProtocol.TENSOR_MAPS, header)) {
      maps.add(index instanceof Number number ? number.intValue() : -1);
    }
    return new KernelEntry(
        String.valueOf(fields.get(DeviceProtocol.NAME)),
        texts(fields, DeviceProtocol.PARAMETERS, header).stream().map(DType::parse).toList(),
        texts(fields, DeviceProtocol.TAGS, header).stream().map(LaunchTag::parse).toList(),
        maps,
        Boolean.TRUE.equals(fields.get(DeviceProtocol.UNIFORM)));
  }

  private static List<?> list(Map<?, ?> fields, String name, String header) {
    if (fields.get(name) instanceof List<?> list) {
      return list;
    }
    throw malformed(header);
  }

  private static List<String> texts(Map<?, ?> fields, String name, String header) {
    List<String> texts = new ArrayList<>();
    for (Object item : list(fields, name, header)) {
      texts.add(String.valueOf(item));
    }
    return texts;
  }

  private static CallException malformed(String header) {
    return new CallException(
        ErrorKind.VALUE,
        "the header of an image is malformed: "
            + header.substring(0, Math.min(header.length(), 200)));
  }

  private static void imageFunctions(CallArgs args, CallResult result) {
    Module module = ServerFunctions.moduleAt(args, 0);
    Set<String> names = new LinkedHashSet<>();
    module.withImports().forEach(each -> names.addAll(each.functionNames()));
    Map<String, Object> lacks = new LinkedHashMap<>();
    for (int i = 1; i < args.count(); i++) {
      String name = args.stringAt(i);
      if (!names.contains(name)) {
        lacks.put(name, module.lacks(name).orElse("its backend gives no reason"));
      }
    }
    result.set(
        json(Map.of(DeviceProtocol.FUNCTIONS, List.copyOf(names), DeviceProtocol.LACKS, lacks)));
  }

  // ---------------------------------------------------------------- calls with compound arguments

  private static void invoke(CallArgs args, CallResult result) {
    if (!(args.at(0) instanceof PackedFunc function)) {
      throw args.mismatch(0, "ffi.Function");
    }
    try (Unpacking unpacking = new Unpacking(args, args.stringAt(1))) {
      function.call(CallArgs.of(args.context(), unpacking.all()), result);
    }
  }

  /** Puts the arguments of a call together. */
  private static final class Unpacking implements AutoCloseable {
    private final CallArgs args;
    private final String layout;
    private final List<Managed> made = new ArrayList<>();
    private int next = 2;
    private int at;

    Unpacking(CallArgs args, String layout) {
      this.args = args;
      this.layout = layout;
    }

    @Nullable Object[] all() {
      List<@Nullable Object> values = new ArrayList<>();
      while (at < layout.length()) {
        values.add(one(0));
        if (values.size() > MAX_ARGUMENTS) {
          throw wrong();
        }
      }
      return values.toArray();
    }

    private @Nullable Object one(int depth) {
      char kind = at < layout.length() && depth < 8 ? layout.charAt(at++) : '?';
      switch (kind) {
        case 'v' -> {
          return value();
        }
        case 'S' -> {
          return Shape.ofOwned(integers(size()));
        }
        case 'R' -> {
          return strided(size());
        }
        case 'T' -> {
          @Nullable Object[] fields = new Object[size()];
          for (int i = 0; i < fields.length; i++) {
            fields[i] = one(depth + 1);
          }
          Tuple tuple = Tuple.of(fields);
          made.add(tuple);
          return tuple;
        }
        default -> throw wrong();
      }
    }

    private Tensor strided(int rank) {
      if (!(value() instanceof Tensor memory
          && value() instanceof DType dtype
          && value() instanceof Long byteOffset
          && dtype.isByteAligned()
          && dtype.elementByteSize() > 0)) {
        throw wrong();
      }
      long elementBytes = dtype.elementByteSize();
      long[] dims = integers(rank);
      long[] strides = integers(rank);
      long first = byteOffset % elementBytes;
      Shape all = Shape.of((memory.byteSize() - first) / elementBytes);
      try (Tensor typed = memory.reinterpret(all, dtype, first)) {
        Tensor view = typed.stridedView(Shape.ofOwned(dims), strides, byteOffset / elementBytes);
        made.add(view);
        return view;
      }
    }

    private long[] integers(int count) {
      long[] all = new long[count];
      for (int i = 0; i < count; i++) {
        all[i] = value() instanceof Long number ? number : -1;
      }
      return all;
    }

    private @Nullable Object value() {
      if (next >= args.count()) {
        throw wrong();
      }
      return args.at(next++);
    }

    private int size() {
      int end = layout.indexOf('.', at);
      String digits = end < 0 ? "" : layout.substring(at, end);
      if (!digits.matches("[0-9]{1,4}") || Integer.parseInt(digits) > MAX_ARGUMENTS) {
        throw wrong();
      }
      at = end + 1;
      return Integer.parseInt(digits);
    }

    private CallException wrong() {
      return new CallException(
          ErrorKind.VALUE, "the layout '" + layout + "' does not fit the arguments");
    }

    @Override
    public void close() {
      made.forEach(value -> value.release());
    }
  }
}
