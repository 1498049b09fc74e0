package org.relaxvm.vmcore.capture;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.Storage;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.Tuple;
import org.relaxvm.api.spi.Device;

/**
 * The storages of a device that recorded work may use and that are not of the recording's own
 * memory: arguments, constants, what functions keep. They stay as long as the recording. Used by
 * one thread.
 */
final class KeptStorages {
  private final Device device;
  private final CaptureMemory memory;
  private final Set<Storage> storages = Collections.newSetFromMap(new IdentityHashMap<>());

  KeptStorages(Device device, CaptureMemory memory) {
    this.device = device;
    this.memory = memory;
  }

  /** Keeps what a value is in; tells whether any of it is memory of the device. */
  boolean keep(@Nullable Object value) {
    return switch (value) {
      case Tensor tensor -> keepStorage(tensor.storage());
      case Storage storage -> keepStorage(storage);
      case Tuple tuple -> keepFields(tuple);
      case null, default -> false;
    };
  }

  /** Not recursive, and each tuple once: a program decides how deep it nests what it shares. */
  private boolean keepFields(Tuple outermost) {
    boolean any = false;
    Set<Tuple> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    ArrayDeque<Tuple> next = new ArrayDeque<>(List.of(outermost));
    while (!next.isEmpty()) {
      for (Object field : next.pop().fields()) {
        if (!(field instanceof Tuple tuple)) {
          any |= keep(field);
        } else if (seen.add(tuple)) {
          next.push(tuple);
        }
      }
    }
    return any;
  }

  @SuppressWarnings("ReferenceEquality") // a device is one object
  private boolean keepStorage(Storage storage) {
    if (storage.device() != device) {
      return false;
    }
    if (!memory.owns(storage) && !storages.contains(storage)) {
      storage.retain();
      storages.add(storage);
    }
    return true;
  }

  void release() {
    List<Runnable> actions = new ArrayList<>();
    storages.forEach(storage -> actions.add(storage::release));
    storages.clear();
    Recorder.runAll(actions);
  }
}
