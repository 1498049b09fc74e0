package org.relaxvm.builtins.params;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.Managed;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.Tuple;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.RelaxException;

/**
 * Tensors by name, which outlive the calls that use them. The cache is an owner of each.
 *
 * <p>Thread-safe.
 */
public final class TensorCache {
  private final Map<String, Tensor> tensors = new HashMap<>();

  /** Creates an empty cache. */
  public TensorCache() {}

  /**
   * Loads all tensors of a directory to the host, as {@link ParameterFolder#read} does; those of
   * names that are there already are replaced. When it fails, nothing is changed.
   *
   * @throws RelaxException with the file and what is wrong with it
   */
  public void load(Path directory) {
    putAll(ParameterFolder.read(directory));
  }

  /**
   * Loads all tensors of a directory; those of names that are there already are replaced. When it
   * fails, nothing is changed.
   *
   * @param transfer makes the tensor to keep from a host tensor that is valid during the call; an
   *     owner of its result is transferred
   * @throws RelaxException with the file and what is wrong with it
   */
  public void load(Path directory, UnaryOperator<Tensor> transfer) {
    putAll(ParameterFolder.read(directory, Manifest.FILE_NAMES, transfer));
  }

  private synchronized void putAll(Map<String, Tensor> loaded) {
    loaded.forEach((name, tensor) -> Managed.release(tensors.put(name, tensor)));
  }

  /** The tensor of a name with an owner for the caller, or null when there is none. */
  public synchronized @Nullable Tensor find(String name) {
    Tensor tensor = tensors.get(name);
    Managed.retain(tensor);
    return tensor;
  }

  /**
   * Keeps a tensor under a name.
   *
   * @param replace whether the name may be there already
   * @throws CallException an {@code InternalError} when it is and may not be
   */
  public synchronized void update(String name, Tensor tensor, boolean replace) {
    if (!replace && tensors.containsKey(name)) {
      throw new CallException(
              ErrorKind.INTERNAL, "the cache of parameters has '" + name + "' already")
          .withTvmMessage("Name " + name + " already exists in the cache");
    }
    tensor.retain();
    Managed.release(tensors.put(name, tensor));
  }

  /** Lets go of the tensor of a name, if there is one. */
  public synchronized void remove(String name) {
    Managed.release(tensors.remove(name));
  }

  /** Lets go of all tensors. */
  public synchronized void clear() {
    tensors.values().forEach(tensor -> tensor.release());
    tensors.clear();
  }

  /**
   * The tensors {@code prefix_0}, {@code prefix_1} and so on.
   *
   * @param count how many; -1 for all up to the first that is missing
   * @return a tuple with one owner, the caller
   * @throws CallException an {@code InternalError} when one of {@code count} is missing
   */
  public synchronized Tuple numbered(String prefix, long count) {
    List<Tensor> found = new ArrayList<>();
    for (long i = 0; i < count || count == -1; i++) {
      String name = prefix + "_" + i;
      Tensor tensor = tensors.get(name);
      if (tensor == null) {
        if (count == -1) {
          break;
        }
        throw missing(ErrorKind.INTERNAL, name).withTvmMessage("Cannot find " + name + " in cache");
      }
      found.add(tensor);
    }
    return Tuple.of(found.toArray());
  }

  /**
   * The tensors of some names.
   *
   * @return a tuple with one owner, the caller
   * @throws CallException a {@code ValueError} with the first name that is not there
   */
  public synchronized Tuple named(List<String> names) {
    List<Tensor> found = new ArrayList<>();
    for (String name : names) {
      Tensor tensor = tensors.get(name);
      if (tensor == null) {
        throw missing(ErrorKind.VALUE, name)
            .withTvmMessage("Cannot find parameter in cache: " + name);
      }
      found.add(tensor);
    }
    return Tuple.of(found.toArray());
  }

  private static CallException missing(ErrorKind kind, String name) {
    return new CallException(
        kind,
        "the cache of parameters has no '"
            + name
            + "'\n  what to do: load the folder that has it with"
            + " vm.builtin.tensor_cache.load");
  }
}
