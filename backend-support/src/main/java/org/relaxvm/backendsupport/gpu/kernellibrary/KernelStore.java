package org.relaxvm.backendsupport.gpu.kernellibrary;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.DeviceId;
import org.relaxvm.backendsupport.gpu.DeviceErrors;

/**
 * Kernels that were made for calls, for later ones: as many as it may hold, then the one that was
 * not used for the longest time goes. One that goes during a call is closed when the call is done.
 * Thread-safe.
 */
final class KernelStore implements AutoCloseable {
  private final DeviceId device;
  private final int capacity;
  // In the order of use, the last one at the end.
  private final Map<Object, Kept> kept = new LinkedHashMap<>(16, 0.75f, true);
  private boolean closed;

  private static final class Kept {
    final CompiledLibraryKernel kernel;
    int users;
    boolean gone;

    Kept(CompiledLibraryKernel kernel) {
      this.kernel = kernel;
    }
  }

  /** A kernel that stays open until this is closed. */
  final class Lease implements AutoCloseable {
    private final Kept own;

    private Lease(Kept own) {
      this.own = own;
    }

    CompiledLibraryKernel kernel() {
      return own.kernel;
    }

    @Override
    public void close() {
      giveBack(own);
    }
  }

  /** An empty store, which is closed with its device. */
  KernelStore(DeviceId device, int capacity) {
    this.device = device;
    this.capacity = capacity;
  }

  /**
   * The kernel of a key.
   *
   * @param maker makes it when there is none; gives null where a call has nothing to compute
   * @return null when the maker gives null
   */
  @Nullable Lease lease(Object key, Supplier<? extends @Nullable CompiledLibraryKernel> maker) {
    Lease found = find(key);
    if (found != null) {
      return found;
    }
    // Not under the lock: others may make other kernels meanwhile.
    CompiledLibraryKernel made = maker.get();
    return made == null ? null : add(key, made);
  }

  private synchronized @Nullable Lease find(Object key) {
    if (closed) {
      throw DeviceErrors.closed(device);
    }
    Kept found = kept.get(key);
    return found == null ? null : lease(found);
  }

  private Lease add(Object key, CompiledLibraryKernel made) {
    List<CompiledLibraryKernel> unused = new ArrayList<>();
    Lease lease;
    synchronized (this) {
      lease = find(key);
      if (lease == null) {
        Kept added = new Kept(made);
        kept.put(key, added);
        lease = lease(added);
        shrink(unused);
      } else {
        unused.add(made);
      }
    }
    unused.forEach(CompiledLibraryKernel::close);
    return lease;
  }

  private void shrink(List<CompiledLibraryKernel> unused) {
    var eldest = kept.values().iterator();
    while (kept.size() > capacity && eldest.hasNext()) {
      Kept old = eldest.next();
      eldest.remove();
      old.gone = true;
      if (old.users == 0) {
        unused.add(old.kernel);
      }
    }
  }

  private Lease lease(Kept of) {
    of.users++;
    return new Lease(of);
  }

  private void giveBack(Kept own) {
    boolean last;
    synchronized (this) {
      own.users--;
      last = own.gone && own.users == 0;
    }
    if (last) {
      own.kernel.close();
    }
  }

  /** How many kernels there are. */
  synchronized int size() {
    return kept.size();
  }

  @Override
  public void close() {
    List<CompiledLibraryKernel> unused = new ArrayList<>();
    synchronized (this) {
      closed = true;
      for (Kept each : kept.values()) {
        each.gone = true;
        if (each.users == 0) {
          unused.add(each.kernel);
        }
      }
      kept.clear();
    }
    unused.forEach(CompiledLibraryKernel::close);
  }
}
