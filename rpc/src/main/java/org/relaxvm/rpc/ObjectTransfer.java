package org.relaxvm.rpc;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.TypeKeys;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.RelaxException;
import org.relaxvm.api.object.ObjectTypes;
import org.relaxvm.objects.graph.ObjectGraph;
import org.relaxvm.rpc.error.RpcProtocolException;

/**
 * Objects by value. The protocol has handles of objects only, so an object crosses as the text of
 * its JSON graph, which functions of the server read and write. Thread-safe.
 *
 * <p>Rationale: docs/rationale/rpc.md, "How do objects cross by value?" Source:
 * docs/spec/object-system.md, section 4.
 */
final class ObjectTransfer {
  private static final String READ = "ffi.FromJSONGraphString";
  private static final String WRITE = "ffi.ToJSONGraphString";

  private final Function<String, RemoteFunction> functions;
  private final Supplier<ObjectTypes> types = ObjectTypes.onDemand();

  /**
   * Transfers objects by functions of a server.
   *
   * @param functions gives a function by its name, which stays open
   */
  ObjectTransfer(Function<String, RemoteFunction> functions) {
    this.functions = functions;
  }

  /** Arguments of a call, with objects of the server in place of local ones. */
  record Sent(@Nullable Object[] args, List<RemoteObject> made) implements AutoCloseable {
    @Override
    public void close() {
      made.forEach(RemoteObject::close);
    }
  }

  /**
   * Sends the objects among the arguments of a call.
   *
   * @throws CallException for an object of a class without a type, or one that has no text
   */
  Sent send(@Nullable Object[] args) {
    Sent sent = new Sent(args.clone(), new ArrayList<>());
    boolean done = false;
    try {
      for (int i = 0; i < args.length; i++) {
        if (TypeKeys.isObject(args[i])) {
          RemoteObject there = send(i, args[i]);
          sent.made().add(there);
          sent.args()[i] = there;
        }
      }
      done = true;
      return sent;
    } finally {
      if (!done) {
        sent.close();
      }
    }
  }

  private RemoteObject send(int index, @Nullable Object value) {
    try {
      String text = new ObjectGraph(value).toJson(types.get());
      if (functions.apply(READ).call(text) instanceof RemoteObject there) {
        return there;
      }
    } catch (RelaxException e) {
      e.addLocation("argument #" + index + ", " + TypeKeys.of(value));
      throw e;
    }
    throw new RpcProtocolException(READ + " of the server gave no object");
  }

  /** The object of a handle as one of this process. */
  @Nullable Object fetch(RemoteObject there) {
    if (there instanceof RemoteFunction || there instanceof RemoteModule) {
      throw new CallException(
          ErrorKind.TYPE,
          "a "
              + there.describe()
              + " cannot be copied here\n  expected: an object, an array, a map or a shape");
    }
    if (functions.apply(WRITE).call(there, null) instanceof String text) {
      return ObjectGraph.parse(text, types.get()).root();
    }
    throw new RpcProtocolException(WRITE + " of the server gave no string");
  }
}
