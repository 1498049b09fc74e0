package org.relaxvm.rpc.device;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.DeviceId;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.spi.AddressedBackend;
import org.relaxvm.api.spi.Device;
import org.relaxvm.rpc.client.Calls;
import org.relaxvm.rpc.client.Connecting;
import org.relaxvm.rpc.connection.Endpoint;
import org.relaxvm.rpc.connection.RpcOptions;
import org.relaxvm.rpc.error.RpcException;
import org.relaxvm.rpc.error.RpcProtocolException;
import org.relaxvm.rpc.wire.DeviceProtocol;

/** The remote devices of a registry: one session for each server. Thread-safe. */
final class RemoteBackend implements AddressedBackend {
  private final RpcOptions options;
  private final Map<Endpoint, Calls> sessions = new LinkedHashMap<>();
  private final Map<RemoteAddress, RemoteDevice> opened = new LinkedHashMap<>();

  RemoteBackend(RpcOptions options) {
    this.options = options;
  }

  @Override
  public String name() {
    return RemoteAddress.SCHEME;
  }

  @Override
  public synchronized List<Device> devices() {
    return List.copyOf(opened.values());
  }

  @Override
  public synchronized Device deviceAt(String text) {
    RemoteAddress address = RemoteAddress.parse(text);
    RemoteDevice existing = opened.get(address);
    if (existing != null && existing.conversation().isOpen()) {
      return existing;
    }
    Calls session = sessions.get(address.endpoint());
    if (session == null || !session.conversation().isOpen()) {
      session = Connecting.connect(address.endpoint(), options).calls();
      sessions.put(address.endpoint(), session);
    }
    // A device whose session ended keeps its number; what used it is not brought back.
    int number = existing == null ? opened.size() : existing.id().ordinal();
    RemoteDevice device = open(address, session, number);
    opened.put(address, device);
    return device;
  }

  private static RemoteDevice open(RemoteAddress address, Calls calls, int number) {
    String peer = calls.conversation().peer();
    List<RemoteDescription> offered = RemoteDescription.parse(describe(calls, peer), peer);
    for (RemoteDescription description : offered) {
      if (description.name().equals(address.device())) {
        return new RemoteDevice(new DeviceId(RemoteAddress.SCHEME, number), calls, description);
      }
    }
    throw new RpcException(
        ErrorKind.INDEX,
        "the server "
            + peer
            + " does not offer "
            + address.device()
            + "\n  it offers: "
            + String.join(", ", offered.stream().map(RemoteDescription::name).toList())
            + "\n  what to do: choose one of them, or start the server with --devices "
            + address.device());
  }

  private static String describe(Calls calls, String peer) {
    long function = calls.globalFunction(DeviceProtocol.DEVICES);
    if (function == 0) {
      throw new RpcProtocolException(
          peer
              + " offers no devices to virtual machines elsewhere: it is no server of RelaxVM\n"
              + "  what to do: run the whole program there, with RpcSession or relaxvm rpc run");
    }
    @Nullable Object[] answer = calls.call(function);
    calls.free(function);
    return answer.length > 1 ? String.valueOf(answer[1]) : "";
  }

  @Override
  public synchronized void close() {
    opened.values().forEach(RemoteDevice::close);
    opened.clear();
    sessions.values().forEach(session -> session.conversation().close());
    sessions.clear();
  }
}
