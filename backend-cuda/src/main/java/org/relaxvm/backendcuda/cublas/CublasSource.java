package org.relaxvm.backendcuda.cublas;

import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.spi.BackendOptions;
import org.relaxvm.backendcuda.driver.Machine;

/** cuBLAS and cuBLASLt, which are looked for when somebody asks for them first. Thread-safe. */
public final class CublasSource {
  private final Search<Cublas> whole;
  private final Search<CublasLt> light;

  /**
   * Libraries that were not looked for.
   *
   * @param whole called once at most
   * @param light called once at most
   */
  public CublasSource(
      Supplier<FoundLibrary<Cublas>> whole, Supplier<FoundLibrary<CublasLt>> light) {
    this.whole = new Search<>(whole);
    this.light = new Search<>(light);
  }

  /**
   * Those of this machine.
   *
   * @param driverVersion the newest version of CUDA that the driver knows, such as 12060
   */
  public static CublasSource of(int driverVersion) {
    return of(driverVersion, BackendOptions.none());
  }

  /** As the other method; options may name the files or switch the libraries off. */
  public static CublasSource of(int driverVersion, BackendOptions options) {
    return new CublasSource(
        () -> Cublas.find(Machine.here(), options, driverVersion),
        () -> CublasLt.find(Machine.here(), options, driverVersion));
  }

  /** cuBLAS, or why there is none. */
  public FoundLibrary<Cublas> find() {
    return whole.find();
  }

  /** cuBLASLt, or why there is none. */
  public FoundLibrary<CublasLt> findLt() {
    // cuBLAS brings one along, which then is loaded already and found by its name.
    whole.find();
    return light.find();
  }

  /** cuBLAS, if there is one. */
  public Optional<Cublas> library() {
    return find().library();
  }

  /** cuBLASLt, if there is one. */
  public Optional<CublasLt> lt() {
    return findLt().library();
  }

  /** A search that is made once. */
  private static final class Search<T> {
    private final Supplier<FoundLibrary<T>> search;
    private volatile @Nullable FoundLibrary<T> found;

    Search(Supplier<FoundLibrary<T>> search) {
      this.search = search;
    }

    FoundLibrary<T> find() {
      FoundLibrary<T> result = found;
      return result != null ? result : search();
    }

    private synchronized FoundLibrary<T> search() {
      FoundLibrary<T> result = found;
      if (result == null) {
        result = search.get();
        found = result;
      }
      return result;
    }
  }
}
