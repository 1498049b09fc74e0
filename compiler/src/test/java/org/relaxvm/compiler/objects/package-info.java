/** Modules as objects of Apache TVM. */
@NullMarked
package org.relaxvm.compiler.objects;

import org.jspecify.annotations.NullMarked;
