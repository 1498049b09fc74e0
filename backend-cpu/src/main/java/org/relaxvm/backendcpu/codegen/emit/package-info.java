/** Loops as JVM instructions. {@link org.relaxvm.backendcpu.codegen.emit.ClassEmitter} begins. */
@NullMarked
package org.relaxvm.backendcpu.codegen.emit;

import org.jspecify.annotations.NullMarked;
