package org.relaxvm.backendvulkan.driver;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.lwjgl.system.Configuration;
import org.lwjgl.system.Library;
import org.lwjgl.util.vma.Vma;
import org.lwjgl.vulkan.VK;
import org.relaxvm.api.error.BackendException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.backendsupport.gpu.device.NativeLibraries;

/**
 * Loads native parts of LWJGL, and the loader of Vulkan through it.
 *
 * <p>LWJGL takes native libraries out of jars into a folder with a fixed name among the temporary
 * files, which others can write to. So it is given a folder of its own, which only this process
 * writes to; the files in it are deleted as soon as they are loaded, where the system allows it.
 *
 * <p>Thread-safe.
 */
public final class LwjglLibrary {
  // For the whole process, as the settings of LWJGL are. Both are used by one thread at a time.
  private static final AtomicReference<@Nullable Path> FOLDER = new AtomicReference<>();
  private static final AtomicBoolean LOADER_IS_LOADED = new AtomicBoolean();

  private LwjglLibrary() {}

  /**
   * Loads what a class of LWJGL calls, if that was not done yet.
   *
   * @throws LinkageError when it cannot be loaded
   * @throws BackendException when there is no folder to put it into, with what to do
   */
  public static synchronized void load(Class<?> natives) {
    try {
      Path own = FOLDER.get();
      if (own == null) {
        own = configure();
        FOLDER.set(own);
      }
      Class.forName(natives.getName(), true, natives.getClassLoader());
      NativeLibraries.deleteFiles(own);
    } catch (IOException e) {
      throw NativeLibraries.unusable("LWJGL", "", e);
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException("a class that is there was not found", e);
    }
  }

  /**
   * Loads the loader of Vulkan.
   *
   * @throws BackendException when there is none, with what to install
   */
  static synchronized void loadVulkan() {
    if (!LOADER_IS_LOADED.get()) {
      try {
        load(Library.class);
        load(Vma.class);
      } catch (LinkageError e) {
        throw NativeLibraries.unusable("LWJGL", "", e);
      }
      try {
        create();
      } catch (UnsatisfiedLinkError e) {
        throw noLoader(e);
      }
      LOADER_IS_LOADED.set(true);
    }
  }

  private static void create() {
    try {
      VK.create();
    } catch (IllegalStateException _) {
      // Another user of LWJGL in this process was first.
      VK.getFunctionProvider();
    }
  }

  private static Path configure() throws IOException {
    if (!Boolean.TRUE.equals(Configuration.DEBUG.get(false))) {
      // It would print what the exception says, too, and the output of programs is not its own.
      Configuration.DEBUG_STREAM.set(new PrintStream(OutputStream.nullOutputStream(), false));
    }
    if (Configuration.MEMORY_BACKEND.get() == null) {
      // The others use what Java is about to remove, and print that they do.
      Configuration.MEMORY_BACKEND.set("ffm");
    }
    Configuration.VULKAN_EXPLICIT_INIT.set(true);
    Path own = Files.createTempDirectory("relaxvm-lwjgl-");
    own.toFile().deleteOnExit();
    if (Configuration.SHARED_LIBRARY_EXTRACT_PATH.get() == null) {
      Configuration.SHARED_LIBRARY_EXTRACT_PATH.set(own.toString());
    }
    return own;
  }

  private static BackendException noLoader(Throwable error) {
    return new BackendException(
        ErrorKind.RUNTIME,
        "the loader of Vulkan (libvulkan.so.1, vulkan-1.dll) cannot be loaded"
            + "\n  what to do: install it and a driver of the device; on Debian these are the"
            + " packages libvulkan1 and mesa-vulkan-drivers, which has one for the CPU, too",
        error);
  }
}
