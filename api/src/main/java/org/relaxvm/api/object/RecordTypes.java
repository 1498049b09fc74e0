package org.relaxvm.api.object;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.DType;
import org.relaxvm.api.TypeKey;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.RelaxException;

/** Records as object types. */
final class RecordTypes {
  /** Numbers that no value of a field has the class of. */
  private static final Set<Class<?>> NO_FIELDS =
      Set.of(
          byte.class,
          short.class,
          char.class,
          float.class,
          Byte.class,
          Short.class,
          Character.class,
          Integer.class,
          Float.class);

  private RecordTypes() {}

  static ObjectDeclaration declare(MethodHandles.Lookup lookup, Class<? extends Record> type) {
    TypeKey key = type.getAnnotation(TypeKey.class);
    if (key == null) {
      throw new IllegalArgumentException(type.getName() + " lacks @TypeKey");
    }
    ObjectInfo info = type.getAnnotation(ObjectInfo.class);
    RecordComponent[] components = type.getRecordComponents();
    List<ObjectField> fields = new ArrayList<>();
    for (RecordComponent component : components) {
      fields.add(field(type, component));
    }
    return new ObjectDeclaration(
        key.value(),
        info == null ? ObjectDeclaration.OBJECT : info.parent(),
        info == null ? ComparisonKind.TREE : info.comparison(),
        fields,
        Map.of(),
        type,
        access(lookup, type, components),
        "",
        info == null ? "" : info.doc());
  }

  private static ObjectField field(Class<?> type, RecordComponent component) {
    if (NO_FIELDS.contains(component.getType())) {
      throw new IllegalArgumentException(
          "no field can be "
              + type.getName()
              + "."
              + component.getName()
              + ", of type "
              + component.getType().getSimpleName()
              + "\n  what to do: use long, int, double, boolean, DType or a class of objects");
    }
    FieldInfo info = component.getAnnotation(FieldInfo.class);
    FieldKind kind = kind(component.getType());
    ObjectField field =
        new ObjectField(component.getName(), kind, component.getGenericType().getTypeName());
    if (info == null) {
      return field;
    }
    field = new ObjectField(field.name(), kind, field.typeName(), info.role(), null, info.doc());
    String[] text = info.defaultValue();
    if (text.length == 0) {
      return field;
    }
    return field.withDefault(parse(type, component, text[0]));
  }

  private static FieldKind kind(Class<?> type) {
    if (type == long.class || type == int.class) {
      return FieldKind.INT;
    }
    if (type == boolean.class) {
      return FieldKind.BOOL;
    }
    if (type == double.class) {
      return FieldKind.FLOAT;
    }
    return type == DType.class ? FieldKind.DTYPE : FieldKind.REFERENCE;
  }

  private static @Nullable Object parse(Class<?> type, RecordComponent component, String text) {
    try {
      return switch (kind(component.getType())) {
        case INT -> Long.valueOf(text);
        case BOOL -> bool(text);
        case FLOAT -> Double.valueOf(text);
        case DTYPE -> DType.parse(text);
        case REFERENCE -> {
          if (component.getType() == String.class) {
            yield text;
          }
          if (!text.equals("null")) {
            throw new IllegalArgumentException("expected null");
          }
          yield null;
        }
      };
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "the default value '" + text + "' of " + type.getName() + "." + component.getName(), e);
    }
  }

  private static Boolean bool(String text) {
    if (!text.equals("true") && !text.equals("false")) {
      throw new IllegalArgumentException("expected true or false");
    }
    return Boolean.valueOf(text);
  }

  private static ObjectAccess access(
      MethodHandles.Lookup lookup, Class<?> type, RecordComponent[] components) {
    try {
      MethodHandle[] getters = new MethodHandle[components.length];
      Class<?>[] types = new Class<?>[components.length];
      for (int i = 0; i < components.length; i++) {
        types[i] = components[i].getType();
        MethodHandle getter =
            lookup.findVirtual(
                type, components[i].getName(), MethodType.methodType(components[i].getType()));
        if (types[i] == int.class) {
          getter = getter.asType(getter.type().changeReturnType(long.class));
        }
        getters[i] = getter.asType(MethodType.methodType(Object.class, Object.class));
      }
      MethodHandle constructor =
          lookup
              .findConstructor(type, MethodType.methodType(void.class, types))
              .asSpreader(Object[].class, types.length);
      return new RecordAccess(
          type.getAnnotation(TypeKey.class).value(),
          Arrays.stream(components).map(RecordComponent::getName).toArray(String[]::new),
          getters,
          constructor.asType(MethodType.methodType(Object.class, Object[].class)),
          types);
    } catch (NoSuchMethodException | IllegalAccessException e) {
      throw new IllegalArgumentException(
          "the lookup "
              + lookup
              + " cannot read "
              + type.getName()
              + "\n  what to do: pass MethodHandles.lookup() of a class in its package",
          e);
    }
  }

  /** Access by handles of one record class. */
  private record RecordAccess(
      String key,
      String[] names,
      MethodHandle[] getters,
      MethodHandle constructor,
      Class<?>[] types)
      implements ObjectAccess {
    @Override
    public @Nullable Object get(Object object, int field) {
      try {
        return (Object) getters[field].invokeExact(object);
      } catch (Throwable e) {
        throw unexpected(e);
      }
    }

    @Override
    public Object create(@Nullable Object[] values) {
      Object[] arguments = Arrays.copyOf(values, values.length);
      for (int i = 0; i < types.length; i++) {
        arguments[i] = argument(i, arguments[i]);
      }
      try {
        return (Object) constructor.invokeExact(arguments);
      } catch (RelaxException e) {
        throw e;
      } catch (RuntimeException e) {
        throw new CallException(
            ErrorKind.VALUE, "the constructor of " + key + " refuses the values: " + e, e);
      } catch (Throwable e) {
        throw unexpected(e);
      }
    }

    private @Nullable Object argument(int field, @Nullable Object value) {
      if (types[field] == int.class && value instanceof Long number) {
        if (number != number.intValue()) {
          throw new CallException(
              ErrorKind.VALUE,
              "the field '" + names[field] + "' of " + key + " is of 32 bits, but got " + number);
        }
        return number.intValue();
      }
      if (value != null && !types[field].isPrimitive() && !types[field].isInstance(value)) {
        throw new CallException(
            ErrorKind.TYPE,
            "the field '"
                + names[field]
                + "' of "
                + key
                + " takes a "
                + types[field].getSimpleName()
                + ", but got "
                + value.getClass().getSimpleName());
      }
      return value;
    }

    private static RuntimeException unexpected(Throwable e) {
      return switch (e) {
        case RuntimeException unchecked -> unchecked;
        case Error error -> throw error;
        default -> new IllegalStateException(e);
      };
    }
  }
}
