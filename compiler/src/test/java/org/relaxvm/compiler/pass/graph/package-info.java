/** Tests of the passes over whole programs. */
@NullMarked
package org.relaxvm.compiler.pass.graph;

import org.jspecify.annotations.NullMarked;
