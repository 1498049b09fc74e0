@NullMarked
package org.relaxvm.interoptvm.shim;

import org.jspecify.annotations.NullMarked;
