package org.relaxvm.rpc.server;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.relaxvm.api.Managed;
import org.relaxvm.api.Storage;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.FirstFailure;
import org.relaxvm.api.spi.Device;
import org.relaxvm.api.spi.Stream;

/**
 * What a client holds handles of: objects, memory and streams. A handle is a number that this
 * session gave out and that is checked at each use; it is never an address.
 *
 * <p>An object that is given out again has the same handle, which is then freed as often. The table
 * owns what is in it. Used by the session's thread.
 *
 * <p>Rationale: docs/rationale/rpc.md, "Why are handles numbers of a table?"
 */
final class HandleTable {
  /** Numbers begin here, so that small forged ones miss. */
  private static final long FIRST_HANDLE = 0x1000;

  /** Numbers are as far apart as allocations: a pointer plus an offset is no other handle. */
  private static final long STEP = 0x40;

  /** One handle: what it stands for, and how often it was given out. */
  private static final class Entry {
    final Object content;

    /** Of a tensor: the handle of its memory. */
    final long memory;

    /** Of memory: whether the client allocated it, and so frees it itself. */
    final boolean allocated;

    int count = 1;

    Entry(Object content, long memory, boolean allocated) {
      this.content = content;
      this.memory = memory;
      this.allocated = allocated;
    }
  }

  private final Map<Long, Entry> entries = new HashMap<>();
  private final Map<Object, Long> known = new IdentityHashMap<>();
  private final int limit;
  private long next = FIRST_HANDLE;

  /**
   * An empty table.
   *
   * @param limit the most handles at once
   */
  HandleTable(int limit) {
    this.limit = limit;
  }

  int size() {
    return entries.size();
  }

  /** Adds an object that is no tensor, of which the table takes over one owner. */
  long addObject(Object value) {
    return add(value, 0, false);
  }

  /** A tensor that was added. */
  record TensorHandles(long object, long memory) {}

  /** Adds a tensor, of which the table takes over one owner, and its memory. */
  TensorHandles addTensor(Tensor tensor) {
    Storage storage = tensor.storage();
    storage.retain();
    boolean added = false;
    long memory;
    try {
      memory = add(storage, 0, false);
      added = true;
    } finally {
      if (!added) {
        storage.release();
      }
    }
    added = false;
    try {
      TensorHandles handles = new TensorHandles(add(tensor, memory, false), memory);
      added = true;
      return handles;
    } finally {
      if (!added) {
        free(memory);
      }
    }
  }

  /** Adds memory that the client allocated, of which the table takes over one owner. */
  long addMemory(Storage storage) {
    return add(storage, 0, true);
  }

  /** Adds a stream, which the table closes. */
  long addStream(Stream stream) {
    return add(stream, 0, false);
  }

  private long add(Object content, long memory, boolean allocated) {
    Long existing = known.get(content);
    if (existing != null) {
      entry(existing).count++;
      return existing;
    }
    if (entries.size() >= limit) {
      throw new CallException(
          ErrorKind.MEMORY,
          "the session holds "
              + limit
              + " handles, which is its limit\n  what to do: free handles that are not used");
    }
    long handle = next;
    next += STEP;
    entries.put(handle, new Entry(content, memory, allocated));
    known.put(content, handle);
    return handle;
  }

  private Entry entry(long handle) {
    Entry entry = entries.get(handle);
    if (entry == null) {
      throw unknown("anything", handle);
    }
    return entry;
  }

  /** The object of a handle, borrowed. */
  Object object(long handle) {
    Entry entry = entries.get(handle);
    if (entry == null || entry.content instanceof Storage || entry.content instanceof Stream) {
      throw unknown("an object", handle);
    }
    return entry.content;
  }

  /** The memory of a data handle, borrowed. */
  Storage memory(long handle) {
    Entry entry = entries.get(handle);
    if (entry != null && entry.content instanceof Storage storage) {
      return storage;
    }
    throw unknown("memory", handle);
  }

  /** The stream of a handle, borrowed, which is one of the device. */
  Stream stream(long handle, Device device) {
    Entry entry = entries.get(handle);
    if (entry != null && entry.content instanceof Stream stream && stream.device().equals(device)) {
      return stream;
    }
    throw unknown("a stream of " + device, handle);
  }

  /** Frees an object; of a tensor also its memory handle. */
  void freeObject(long handle) {
    object(handle);
    free(handle);
  }

  /** Frees memory that the client allocated. */
  void freeMemory(long handle) {
    memory(handle);
    if (!entry(handle).allocated) {
      throw unknown("allocated memory", handle);
    }
    free(handle);
  }

  /** Closes a stream of the device. */
  void freeStream(long handle, Device device) {
    stream(handle, device);
    free(handle);
  }

  /** Gives one use of a handle up. */
  private void free(long handle) {
    Entry entry = entry(handle);
    if (--entry.count == 0) {
      entries.remove(handle);
      known.remove(entry.content);
    }
    try {
      release(entry.content, entry.count == 0);
    } finally {
      if (entry.memory != 0) {
        free(entry.memory);
      }
    }
  }

  /** Modules are closed at the end of the session: functions of them may live on. */
  private static void release(Object content, boolean last) {
    if (content instanceof Stream stream) {
      if (last) {
        stream.close();
      }
    } else {
      Managed.release(content);
    }
  }

  /** Frees everything. */
  void close() {
    List<Entry> all = new ArrayList<>(entries.values());
    entries.clear();
    known.clear();
    Throwable failure = null;
    for (Entry entry : all) {
      for (; entry.count > 0; entry.count--) {
        try {
          release(entry.content, entry.count == 1);
        } catch (RuntimeException | Error e) {
          failure = FirstFailure.of(failure, e);
        }
      }
    }
    FirstFailure.raise(failure);
  }

  private static CallException unknown(String what, long handle) {
    return new CallException(
        ErrorKind.VALUE,
        "0x"
            + Long.toHexString(handle)
            + " is no handle of "
            + what
            + " of this session: it was freed, or this session never gave it out");
  }
}
