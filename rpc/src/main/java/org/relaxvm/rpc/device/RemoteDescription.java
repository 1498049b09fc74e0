package org.relaxvm.rpc.device;

import com.fasterxml.jackson.jr.ob.JSON;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.spi.DeviceProperties;
import org.relaxvm.rpc.error.RpcProtocolException;
import org.relaxvm.rpc.wire.DeviceProtocol;
import org.relaxvm.rpc.wire.WireDevice;

/**
 * What a server says of one of its devices.
 *
 * @param name what the server calls it, such as {@code opencl:0}
 * @param formats of kernels that it takes
 * @param library the functions of its kernel library
 */
public record RemoteDescription(
    String name,
    WireDevice device,
    DeviceProperties properties,
    Set<String> formats,
    Set<String> library) {

  /** Reads what {@link DeviceProtocol#DEVICES} gives. */
  static List<RemoteDescription> parse(String json, String peer) {
    List<RemoteDescription> found = new ArrayList<>();
    try {
      for (Object item : JSON.std.listFrom(json)) {
        found.add(one(item, peer));
      }
    } catch (IOException e) {
      throw malformed(peer, e);
    }
    return found;
  }

  private static RemoteDescription one(@Nullable Object item, String peer) {
    if (!(item instanceof Map<?, ?> fields)) {
      throw malformed(peer, null);
    }
    Map<String, String> details = new LinkedHashMap<>();
    if (fields.get(DeviceProtocol.DETAILS) instanceof Map<?, ?> given) {
      given.forEach((key, value) -> details.put(String.valueOf(key), String.valueOf(value)));
    }
    String name = String.valueOf(fields.get(DeviceProtocol.NAME));
    return new RemoteDescription(
        name,
        new WireDevice(
            (int) number(fields, DeviceProtocol.TYPE, peer),
            (int) number(fields, DeviceProtocol.ID, peer)),
        new DeviceProperties(
            fields.get(DeviceProtocol.DESCRIPTION) + " (" + name + " of " + peer + ")",
            number(fields, DeviceProtocol.MEMORY_BYTES, peer),
            number(fields, DeviceProtocol.ALIGNMENT, peer),
            number(fields, DeviceProtocol.ALLOCATION_BYTES, peer),
            details),
        texts(fields, DeviceProtocol.FORMATS),
        texts(fields, DeviceProtocol.LIBRARY));
  }

  private static long number(Map<?, ?> fields, String name, String peer) {
    if (fields.get(name) instanceof Number number) {
      return number.longValue();
    }
    throw malformed(peer, null);
  }

  private static Set<String> texts(Map<?, ?> fields, String name) {
    Set<String> texts = new java.util.LinkedHashSet<>();
    if (fields.get(name) instanceof List<?> list) {
      list.forEach(item -> texts.add(String.valueOf(item)));
    }
    return texts;
  }

  private static RpcProtocolException malformed(String peer, @Nullable IOException cause) {
    return new RpcProtocolException(
        peer + " describes its devices in a form that is not known", cause);
  }
}
