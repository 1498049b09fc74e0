package org.relaxvm.rpc.server;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.relaxvm.api.Managed;
import org.relaxvm.api.Storage;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.FirstFailure;
import org.relaxvm.api.spi.Stream;

/**
 * What a client holds handles of: objects, memory and streams. A handle is a number that this
 * session gave out and that is checked at each use; it is never an address.
 *
 * <p>The table owns what is in it. Used by the session's thread.
 *
 * <p>Rationale: docs/rationale/rpc.md, "Why are handles numbers of a table?"
 */
final class HandleTable {
  /** Numbers begin here, so that small forged ones miss. */
  private static final long FIRST_HANDLE = 0x1000;

  /** Numbers are as far apart as allocations: a pointer plus an offset is no other handle. */
  private static final long STEP = 0x40;

  private sealed interface Entry {}

  private record ObjectEntry(Object value, long memory) implements Entry {}

  private record MemoryEntry(Storage storage, boolean allocated) implements Entry {}

  private record StreamEntry(Stream stream) implements Entry {}

  private final Map<Long, Entry> entries = new HashMap<>();
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

  /** Adds an object that is no tensor, whose owner the table becomes. */
  long addObject(Object value) {
    return add(new ObjectEntry(value, 0));
  }

  /** A tensor that was added. */
  record TensorHandles(long object, long memory) {}

  /** Adds a tensor, of which the table takes over one owner, and its memory. */
  TensorHandles addTensor(Tensor tensor) {
    long memory = add(new MemoryEntry(tensor.storage(), false));
    try {
      return new TensorHandles(add(new ObjectEntry(tensor, memory)), memory);
    } catch (RuntimeException | Error e) {
      entries.remove(memory);
      throw e;
    }
  }

  /** Adds memory that the client allocated, of which the table takes over one owner. */
  long addMemory(Storage storage) {
    return add(new MemoryEntry(storage, true));
  }

  /** Adds a stream, which the table closes. */
  long addStream(Stream stream) {
    return add(new StreamEntry(stream));
  }

  private long add(Entry entry) {
    if (entries.size() >= limit) {
      throw new CallException(
          ErrorKind.MEMORY,
          "the session holds "
              + limit
              + " handles, which is its limit\n  what to do: free handles that are not used");
    }
    long handle = next;
    next += STEP;
    entries.put(handle, entry);
    return handle;
  }

  /** The object of a handle, borrowed. */
  Object object(long handle) {
    if (entries.get(handle) instanceof ObjectEntry entry) {
      return entry.value();
    }
    throw unknown("an object", handle);
  }

  /** The memory of a data handle, borrowed. */
  Storage memory(long handle) {
    if (entries.get(handle) instanceof MemoryEntry entry) {
      return entry.storage();
    }
    throw unknown("memory", handle);
  }

  /** The stream of a handle, borrowed. */
  Stream stream(long handle) {
    if (entries.get(handle) instanceof StreamEntry entry) {
      return entry.stream();
    }
    throw unknown("a stream", handle);
  }

  /** Frees an object; of a tensor also its memory handle. */
  void freeObject(long handle) {
    if (!(entries.get(handle) instanceof ObjectEntry entry)) {
      throw unknown("an object", handle);
    }
    entries.remove(handle);
    if (entry.memory() != 0) {
      entries.remove(entry.memory());
    }
    Managed.release(entry.value());
    // Modules that a session loads are closed at its end: functions of them may live on.
  }

  /** Frees memory that the client allocated. */
  void freeMemory(long handle) {
    if (!(entries.get(handle) instanceof MemoryEntry entry) || !entry.allocated()) {
      throw unknown("allocated memory", handle);
    }
    entries.remove(handle);
    entry.storage().release();
  }

  /** Closes a stream. */
  void freeStream(long handle) {
    Stream stream = stream(handle);
    entries.remove(handle);
    stream.close();
  }

  /** Frees everything. */
  void close() {
    List<Entry> all = new ArrayList<>(entries.values());
    entries.clear();
    Throwable failure = null;
    for (Entry entry : all) {
      try {
        switch (entry) {
          case ObjectEntry object -> Managed.release(object.value());
          case MemoryEntry memory -> {
            if (memory.allocated()) {
              memory.storage().release();
            }
          }
          case StreamEntry stream -> stream.stream().close();
        }
      } catch (RuntimeException | Error e) {
        failure = FirstFailure.of(failure, e);
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
