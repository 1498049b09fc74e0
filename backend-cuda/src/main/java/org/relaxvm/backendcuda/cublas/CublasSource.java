package org.relaxvm.backendcuda.cublas;

import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** cuBLAS, which is looked for when somebody asks for it first. Thread-safe. */
public final class CublasSource {
  private final Supplier<Cublas.Found> search;
  private volatile Cublas.@Nullable Found found;

  /**
   * A library that was not looked for.
   *
   * @param search called once at most
   */
  public CublasSource(Supplier<Cublas.Found> search) {
    this.search = search;
  }

  /** The library, or why there is none. */
  public Cublas.Found find() {
    Cublas.Found result = found;
    return result != null ? result : search();
  }

  private synchronized Cublas.Found search() {
    Cublas.Found result = found;
    if (result == null) {
      result = search.get();
      found = result;
    }
    return result;
  }

  /** The library, if there is one. */
  public Optional<Cublas> library() {
    return find().library();
  }
}
