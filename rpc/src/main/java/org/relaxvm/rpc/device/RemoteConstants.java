package org.relaxvm.rpc.device;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.relaxvm.api.Storage;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.events.CopyEvent;
import org.relaxvm.api.events.Events;
import org.relaxvm.api.spi.DeviceMemory;
import org.relaxvm.rpc.wire.Sha256;

/**
 * The constants that a session holds on a device of the server, by content. Those that nobody uses
 * stay there until memory is short. Thread-safe.
 *
 * <p>Rationale: docs/rationale/rpc.md, "Why do virtual machines share constants on a remote
 * device?"
 */
final class RemoteConstants {
  private final RemoteDevice device;
  private final Map<Key, Kept> kept = new LinkedHashMap<>();

  private record Key(String digest, long alignment, String scope) {}

  /** A constant on the server, and how many storages share it. */
  private static final class Kept {
    final DeviceMemory memory;
    final AtomicInteger users = new AtomicInteger();

    Kept(DeviceMemory memory) {
      this.memory = memory;
    }
  }

  RemoteConstants(RemoteDevice device) {
    this.device = device;
  }

  /** As {@link org.relaxvm.api.spi.SharedConstants#constant}. */
  Storage storage(Tensor constant, long alignment, String scope) {
    Key key = new Key(Sha256.of(constant.segment()), alignment, scope);
    Kept shared = use(key, constant);
    return new Storage(
        device,
        shared.memory,
        constant.byteSize(),
        scope,
        _ -> shared.users.decrementAndGet(),
        null);
  }

  private synchronized Kept use(Key key, Tensor constant) {
    Kept found = kept.get(key);
    if (found == null) {
      found = new Kept(upload(key, constant));
      kept.put(key, found);
    }
    found.users.incrementAndGet();
    return found;
  }

  private DeviceMemory upload(Key key, Tensor constant) {
    DeviceMemory memory = device.allocate(constant.byteSize(), key.alignment(), key.scope());
    boolean done = false;
    try {
      CopyEvent event = Events.areOn() ? CopyEvent.start() : null;
      device.copyNow(constant.segment(), memory);
      if (event != null) {
        event.finish(constant.byteSize(), constant.device(), device, "host to device", false);
      }
      done = true;
      return memory;
    } finally {
      if (!done) {
        device.free(memory);
      }
    }
  }

  /** Frees the constants that nobody uses; false where there are none. */
  synchronized boolean freeUnused() {
    return kept.values()
        .removeIf(
            constant -> {
              boolean isUnused = constant.users.get() == 0;
              if (isUnused) {
                device.free(constant.memory);
              }
              return isUnused;
            });
  }
}
